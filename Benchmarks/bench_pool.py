"""What the monitor of Swift's pool costs: CPU time at rest and memory after the first named stacks, at few and at many
threads, and the throughput with and without it, in turns."""

import argparse
import http.client
import pathlib
import socket
import statistics
import sys
import time

from checks import Checks
from rates import measure_service
from service import DEPENDENCIES, Service

# So many threads of the decode lane, which has them from the start, bring the service to the number.
FEW_THREADS = {}
MANY_THREADS = {"decode__threads": "16"}
SETTLING_SECONDS = 10
TARGET_CPU_PERCENT = 0.2
TARGET_MB = 2.0
TARGET_RATE = 0.01
FAULT = "/debug/chaos?fault=sleep&workers=8&pool=default&seconds=2"
# Longer than the tables of symbols are kept without being needed.
FORGETTING_SECONDS = 40
CONNECTIONS = 8


class CPUClock:
    """The CPU time of a process in seconds, to the nanosecond: all threads, ended ones too (clock_getcpuclockid(3))."""

    def __init__(self, pid):
        self.identifier = (~pid << 3) | 2

    def seconds(self):
        return time.clock_gettime(self.identifier)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def threads(service):
    return len(list(pathlib.Path(f"/proc/{service.process.pid}/task").iterdir()))


def cpu_percent(services, seconds):
    """The share of a core that each uses, at the same time: both see the same machine."""
    clocks = [CPUClock(service.process.pid) for service in services]
    before = [clock.seconds() for clock in clocks]
    began = time.monotonic()
    time.sleep(seconds)
    elapsed = time.monotonic() - began
    return [(clock.seconds() - start) / elapsed * 100 for clock, start in zip(clocks, before)]


def measure_rest(arguments, checks, flags):
    with Service(arguments.service, **flags) as watched, \
            Service(arguments.service, pool__monitor="false", **flags) as unwatched:
        time.sleep(SETTLING_SECONDS)
        with_monitor, without = cpu_percent([watched, unwatched], arguments.seconds)
        count = threads(watched)
    cost = with_monitor - without
    checks.check(
        f"CPU at rest, {count} threads",
        f"{cost:.3f} % of a core: {with_monitor:.3f} % with the monitor, {without:.3f} % without",
        f"below {TARGET_CPU_PERCENT} %", cost < TARGET_CPU_PERCENT)


def break_pool(port):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("POST", FAULT)
    answer = connection.getresponse()
    if answer.status != 202:
        sys.exit(f"POST {FAULT}: {answer.status} {answer.read().decode()}")
    connection.close()


def memory(service):
    return {field: service.memory_mb(field) for field in ["VmRSS", "RssAnon", "RssFile"]}


def measure_memory(arguments, checks, flags):
    port = free_port()
    with Service(arguments.service, admin__port=port, pool__chaos="true", **flags) as service:
        time.sleep(SETTLING_SECONDS)
        before = memory(service)
        service.forget_peak()
        break_pool(port)
        time.sleep(FORGETTING_SECONDS)
        after = memory(service)
        peak = service.memory_mb("VmHWM")
        stalls = service.metrics().value("swift_pool_stalls_total", pool="default")
        count = threads(service)
    checks.note(f"{stalls:.0f} stall, peak of {peak - before['VmRSS']:.1f} MB while its stacks were named")
    growth = after["VmRSS"] - before["VmRSS"]
    checks.check(
        f"memory after the first stacks, {count} threads",
        f"{growth:.1f} MB: {after['RssAnon'] - before['RssAnon']:.1f} MB anonymous, "
        f"{after['RssFile'] - before['RssFile']:.1f} MB of files",
        f"at most {TARGET_MB} MB", growth <= TARGET_MB)


def measure_throughput(arguments, checks):
    """Pairs of runs, one with and one without, each beginning with the other one."""
    picture = DEPENDENCIES / "pictures" / "china.jpg"
    with Service(arguments.service) as watched, Service(arguments.service, pool__monitor="false") as unwatched:
        losses, costs = [], []
        for pair in range(arguments.pairs):
            order = [watched, unwatched] if pair % 2 == 0 else [unwatched, watched]
            rows = {service: measure_service(service, picture, CONNECTIONS, arguments.run_seconds) for service in order}
            rates = [rows[service]["images_per_second"] for service in [watched, unwatched]]
            times = [rows[service]["cpu_ms_per_image"] for service in [watched, unwatched]]
            losses.append(1 - rates[0] / rates[1])
            costs.append(times[0] / times[1] - 1)
            checks.note(
                f"with it {rates[0]:.2f} images a second of {times[0]:.2f} ms of CPU each, without {rates[1]:.2f} of "
                f"{times[1]:.2f} ms")
    checks.note(f"CPU time of an image: {statistics.median(costs):+.2%}, the median")
    loss = statistics.median(losses)
    checks.check(
        "throughput lost to the monitor", f"{loss:.2%}, the median of {len(losses)} pairs "
        f"from {min(losses):.2%} to {max(losses):.2%}", f"below {TARGET_RATE:.0%}", loss < TARGET_RATE)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--service", required=True, help="the service's binary")
    parser.add_argument("--seconds", type=int, default=60, help="of each measurement at rest (default %(default)s)")
    parser.add_argument("--pairs", type=int, default=6, help="of runs under load, 0 for none (default %(default)s)")
    parser.add_argument("--run-seconds", type=int, default=10, help="of each run under load (default %(default)s)")
    arguments = parser.parse_args()
    checks = Checks()
    for flags in [FEW_THREADS, MANY_THREADS]:
        measure_rest(arguments, checks, flags)
        measure_memory(arguments, checks, flags)
    if arguments.pairs:
        measure_throughput(arguments, checks)
    if checks.missed:
        sys.exit("missed targets: " + "; ".join(checks.missed))


if __name__ == "__main__":
    main()
