"""Whether the pool's monitor keeps quiet where nothing is wrong, and names the right cause where the machine is: the
release binary under full load, on one core, under a CPU quota, beside a busy core, and stopped for some seconds."""

import argparse
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

from checks import Checks
from rates import measure_service
from service import DEPENDENCIES, Service

PICTURE = DEPENDENCIES / "pictures" / "china.jpg"
CONNECTIONS = 8
STALLS = "swift_pool_stalls_total"
STOPPED_SECONDS = 3
QUOTA_CORES = 0.5
PERIOD_MICROSECONDS = 100_000


class ControlGroup:
    """A control group with a CPU quota, of version 2 or 1, below the machine's root group."""

    def __init__(self, cores):
        root = pathlib.Path("/sys/fs/cgroup")
        is_unified = (root / "cgroup.controllers").exists()
        self.folder = (root if is_unified else root / "cpu") / f"embedd-bench-{os.getpid()}"
        self.folder.mkdir()
        quota = int(cores * PERIOD_MICROSECONDS)
        if is_unified:
            (self.folder / "cpu.max").write_text(f"{quota} {PERIOD_MICROSECONDS}")
        else:
            (self.folder / "cpu.cfs_period_us").write_text(str(PERIOD_MICROSECONDS))
            (self.folder / "cpu.cfs_quota_us").write_text(str(quota))

    @property
    def launcher(self):
        """What starts a program in the group."""
        return ["sh", "-c", 'echo $$ > "$0" && exec "$@"', str(self.folder / "cgroup.procs")]

    def remove(self):
        """Once nothing runs in it any more."""
        self.folder.rmdir()


def stalls(service):
    """How many stalls there were, by cause."""
    causes = {}
    for labels, count in service.metrics().series(STALLS):
        if count:
            causes[labels["cause"]] = causes.get(labels["cause"], 0) + int(count)
    return causes


def check(checks, name, service, seconds, allowed=frozenset(), expected=None):
    """Loads the service, and looks what was reported meanwhile: nothing but the allowed causes, which are true then."""
    row = measure_service(service, PICTURE, CONNECTIONS, seconds)
    found = stalls(service)
    text = ", ".join(f"{count} {cause}" for cause, count in sorted(found.items())) or "no stall"
    met = set(found) <= set(allowed) if expected is None else found == expected
    target = "none" if not allowed else "none but " + ", ".join(sorted(allowed))
    if expected is not None:
        target = ", ".join(f"{count} {cause}" for cause, count in expected.items())
    checks.check(f"{name}, {seconds} s at {row['images_per_second']:.1f} images/s", text, target, met)


def load(arguments, checks):
    """All cores, for long."""
    with Service(arguments.service) as service:
        check(checks, "full load", service, int(arguments.minutes * 60))


def core(arguments, checks):
    """One core; a pool that waits while all of the work is done there is told of truly."""
    with Service(arguments.service, launcher=["taskset", "-c", "0"]) as service:
        check(checks, "one core", service, arguments.seconds, {"cpu_saturated"})


def quota(arguments, checks):
    """Half a core."""
    group = ControlGroup(QUOTA_CORES)
    try:
        with Service(arguments.service, launcher=group.launcher) as service:
            check(checks, f"quota of {QUOTA_CORES} cores", service, arguments.seconds, {"cgroup_throttled"})
    finally:
        group.remove()


def busy(arguments, checks):
    """A core that somebody else computes on."""
    spinner = subprocess.Popen(["taskset", "-c", "0", sys.executable, "-c", "while True: pass"])
    try:
        with Service(arguments.service) as service:
            check(checks, "other core busy", service, arguments.seconds, {"cpu_saturated"})
    finally:
        spinner.kill()
        spinner.wait()


def stopped(arguments, checks):
    """SIGSTOP in the middle of the load."""
    with Service(arguments.service) as service:
        def stop():
            time.sleep(arguments.seconds / 3)
            service.process.send_signal(signal.SIGSTOP)
            time.sleep(STOPPED_SECONDS)
            service.process.send_signal(signal.SIGCONT)

        thread = threading.Thread(target=stop)
        thread.start()
        check(
            checks, f"stopped for {STOPPED_SECONDS} s", service, arguments.seconds, {"host_paused"}, {"host_paused": 1})
        thread.join()


PARTS = {"load": load, "core": core, "quota": quota, "busy": busy, "stopped": stopped}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)} (default: all)")
    parser.add_argument("--service", required=True, help="the service's binary")
    parser.add_argument("--minutes", type=float, default=20, help="of the full load (default %(default)s)")
    parser.add_argument("--seconds", type=int, default=60, help="of each other part (default %(default)s)")
    arguments = parser.parse_args()
    if unknown := set(arguments.parts) - set(PARTS):
        parser.error(f"there is no part {', '.join(sorted(unknown))}")
    checks = Checks()
    for name in arguments.parts or PARTS:
        PARTS[name](arguments, checks)
    if checks.missed:
        sys.exit("missed targets: " + "; ".join(checks.missed))


if __name__ == "__main__":
    main()
