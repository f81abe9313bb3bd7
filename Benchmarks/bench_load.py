"""The release binary under loads that hurt, each figure beside its target; fails if one was missed."""

import argparse
import sys

import load_batch
import load_memory
import load_storm
import load_throughput
from checks import Checks

PARTS = {"storm": load_storm, "memory": load_memory, "batch": load_batch, "throughput": load_throughput}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)} (default: all)")
    parser.add_argument("--service", required=True, help="the service's binary")
    parser.add_argument("--limit", required=True, help="the binary of the loop without HTTP")
    parser.add_argument("--clients", type=int, default=2000, help="of the storm (default %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the storm's random moments (default %(default)s)")
    parser.add_argument("--images", type=int, default=100_000, help="of a batch (default %(default)s)")
    parser.add_argument("--seconds", type=int, default=15, help="of each throughput (default %(default)s)")
    arguments = parser.parse_args()
    if unknown := set(arguments.parts) - set(PARTS):
        parser.error(f"there is no part {', '.join(sorted(unknown))}")

    checks = Checks()
    for name in arguments.parts or PARTS:
        try:
            PARTS[name].run(arguments, checks)
        except Exception as error:  # Whatever it was, the other parts can still be measured.
            checks.check(name, f"broke off: {error!r}", "runs to its end", False)
        print()
    if checks.missed:
        sys.exit("missed targets: " + "; ".join(checks.missed))


if __name__ == "__main__":
    main()
