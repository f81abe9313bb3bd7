"""The service beside its limit: the same decode, resampling and inference in a loop without HTTP, on all cores.

Each measurement of the service stands between two of the limit, in the same run and on the same picture, and the ratio
is to their mean: what the machine does meanwhile slows both.
"""

import argparse
import json
import pathlib
import statistics
import sys
import time

from rates import measure_limit, measure_service
from service import DEPENDENCIES, Service

CONNECTIONS = [1, 4, 16, 64]
TARGET_RATIO = 0.9
TARGET_IDLE_MB = 150
TARGET_READY_SECONDS = 1.0


def compare(service, pictures, arguments):
    """Measures the idle service, then each picture at each number of connections; prints a line for each."""
    time.sleep(1)
    idle = service.memory_mb("VmRSS")
    print(f"ready after {service.ready_seconds:.2f} s (target {TARGET_READY_SECONDS:.0f}), "
          f"idle RSS {idle:.0f} MB (target {TARGET_IDLE_MB}), decode.mode {arguments.mode}\n")
    print(f"{'picture':<14}{'conn.':>6}{'images/s':>10}{'limit':>8}{'ratio':>7}{'p50 ms':>9}{'p99 ms':>9}"
          f"{'peak MB':>9}{'CPU ms':>8}{'limit':>7}")
    figures = {"ready_seconds": service.ready_seconds, "idle_rss_mb": idle, "mode": arguments.mode, "pictures": {}}
    for name, picture in pictures.items():
        figures["pictures"][name] = compare_picture(service, name, picture, arguments)
    return figures


def compare_picture(service, name, picture, arguments):
    """One picture at each number of connections, each measurement between two of the limit."""
    rows = []
    before = measure_limit(arguments.limit, picture, arguments.mode, arguments.seconds)
    for connections in CONNECTIONS:
        row = measure_service(service, picture, connections, arguments.seconds)
        after = measure_limit(arguments.limit, picture, arguments.mode, arguments.seconds)
        row["limit_per_second"] = (before["images_per_second"] + after["images_per_second"]) / 2
        row["limit_cpu_ms"] = (before["cpu_ms_per_image"] + after["cpu_ms_per_image"]) / 2
        row["ratio"] = row["images_per_second"] / row["limit_per_second"]
        rows.append(row)
        before = after
        print(f"{name:<14}{connections:>6}{row['images_per_second']:>10.1f}{row['limit_per_second']:>8.1f}"
              f"{row['ratio']:>7.2f}{row['p50_ms']:>9.1f}{row['p99_ms']:>9.1f}{row['peak_rss_mb']:>9.0f}"
              f"{row['cpu_ms_per_image']:>8.1f}{row['limit_cpu_ms']:>7.1f}", flush=True)
    print(f"{'':<14}median ratio from {CONNECTIONS[1]} connections on: {loaded_ratio(rows):.2f} "
          f"(target: {TARGET_RATIO})\n")
    return rows


def loaded_ratio(rows):
    """The median of the rows in which every core has something to do."""
    return statistics.median(row["ratio"] for row in rows if row["connections"] > 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--limit", required=True, help="the binary of the loop without HTTP")
    parser.add_argument("--service", required=True, help="the service's binary")
    parser.add_argument("--seconds", type=int, default=8, help="of each measurement (default %(default)s)")
    parser.add_argument("--mode", choices=["fast", "exact"], default="fast", help="decode.mode (default %(default)s)")
    parser.add_argument("--json", type=pathlib.Path, help="also write the figures to this file")
    arguments = parser.parse_args()

    pictures = {
        "640x427": DEPENDENCIES / "pictures" / "china.jpg",
        "12 megapixels": DEPENDENCIES / "photos" / "sunset.jpg",
    }
    with Service(arguments.service, decode__mode=arguments.mode):
        pass  # fills the cache of compiled models
    with Service(arguments.service, decode__mode=arguments.mode) as service:
        figures = compare(service, pictures, arguments)
    if arguments.json:
        arguments.json.parent.mkdir(parents=True, exist_ok=True)
        arguments.json.write_text(json.dumps(figures, indent=2) + "\n")
    missed = [name for name, rows in figures["pictures"].items() if loaded_ratio(rows) < TARGET_RATIO]
    if figures["idle_rss_mb"] > TARGET_IDLE_MB:
        missed.append("idle RSS")
    if figures["ready_seconds"] > TARGET_READY_SECONDS:
        missed.append("ready")
    if missed:
        sys.exit("missed targets: " + ", ".join(missed))


if __name__ == "__main__":
    main()
