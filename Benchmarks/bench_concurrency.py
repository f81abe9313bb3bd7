"""The same work, decoding and inferring photos of mixed size, done in four ways: prints a table, and plots it.

Each measurement is a process of its own, so that peaks don't mix. The ways take turns, and of several rounds the median
counts.
"""

import argparse
import json
import pathlib
import statistics
import subprocess

from plot_concurrency import plot
from service import DEPENDENCIES, ROOT

WAYS = {
    "blocks": "unbounded blocks",
    "semaphore": "semaphore of 4, barrier",
    "operations": "OperationQueue of 4",
    "group": "task group",
}
# 20 to 8 megapixels, of which one is progressive, and as many of web size, of which three are PNG; large and small
# ones take turns.
PHOTOS = [
    "photos/nuthatch.jpg", "pictures/china.jpg", "photos/sunset.jpg", "pictures/astronaut.png", "photos/wine.jpg",
    "pictures/flower.jpg", "photos/dragonfly-progressive.jpg", "pictures/coffee.png", "photos/mountain.jpg",
    "pictures/retina.jpg", "photos/bridge.jpg", "pictures/chelsea.png", "photos/dandelion.jpg", "pictures/rocket.jpg",
    "photos/dragonfly.jpg", "pictures/hubble_deep_field.jpg",
]
# Name in the figures, heading, decimals.
COLUMNS = [
    ("images_per_second", "images/s", 1),
    ("cpu_ms_per_image", "CPU ms", 1),
    ("peak_threads", "threads", 0),
    ("switches_per_image", "switches", 1),
    ("peak_rss_mb", "peak MB", 0),
    ("pool_delay_p99_ms", "pool ms", 1),
    ("stop_ms", "stop ms", 1),
    ("images_after_cancel", "images after", 0),
    ("cpu_after_cancel_ms", "CPU ms after", 0),
]


def measure(binary, way, count):
    """Figures of all of the work, and of half of it with a cancellation."""
    photos = [str(DEPENDENCIES / photo) for photo in PHOTOS]
    model = str(DEPENDENCIES / "models" / "efficientnet-lite0")
    figures = {}
    for extent in ("whole", "cancel"):
        output = subprocess.run(
            [binary, way, extent, model, str(count), *photos], check=True, stdout=subprocess.PIPE, text=True,
            timeout=60 + count).stdout
        figures |= json.loads(output)
    return figures


def medians(rounds):
    """The median of each figure."""
    return {name: statistics.median(figures[name] for figures in rounds) for name in rounds[0]}


def table(figures):
    """A line for each way, readable as it is."""
    lines = [f"{'':<24}" + "".join(f"{heading:>{len(heading) + 2}}" for _, heading, _ in COLUMNS)]
    for way, label in WAYS.items():
        lines.append(f"{label:<24}" + "".join(
            f"{figures[way][name]:>{len(heading) + 2}.{decimals}f}" for name, heading, decimals in COLUMNS))
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", required=True, help="the built concurrency")
    parser.add_argument("--images", type=int, default=1000, help="photos (default %(default)s)")
    parser.add_argument("--rounds", type=int, default=1, help="measurements of each way (default %(default)s)")
    parser.add_argument(
        "--plot", type=pathlib.Path, default=ROOT / "docs" / "concurrency.png", help="(default docs/concurrency.png)")
    parser.add_argument("--json", type=pathlib.Path, help="also write the figures to this file")
    arguments = parser.parse_args()

    rounds = {way: [] for way in WAYS}
    for _ in range(arguments.rounds):
        for way in WAYS:
            rounds[way].append(measure(arguments.binary, way, arguments.images))
    figures = {way: medians(rounds[way]) for way in WAYS}

    idle = statistics.median(figures[way]["rss_before_mb"] for way in WAYS)
    print(f"{arguments.images} photos of mixed size; {idle:.0f} MB before the work\n")
    print(table(figures))
    plot(figures, WAYS, arguments.images, arguments.plot)
    if arguments.json:
        arguments.json.parent.mkdir(parents=True, exist_ok=True)
        arguments.json.write_text(json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    main()
