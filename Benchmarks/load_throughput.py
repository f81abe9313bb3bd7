"""Equal small pictures, each with bytes of its own, from more and more connections, beside the loop without HTTP."""

from rates import measure_limit, measure_service
from service import DEPENDENCIES, Service

CONNECTIONS = [2, 8, 64, 256]
FAIRNESS_CONNECTIONS = 64
TARGET_SHARE = 0.95
TARGET_FAIRNESS = 3.0


def run(arguments, checks):
    """The part `throughput`."""
    picture = DEPENDENCIES / "pictures" / "china.jpg"
    print(f"throughput: {picture.name}, {arguments.seconds} s each")
    with Service(arguments.service) as service:
        before = measure_limit(arguments.limit, picture, "fast", arguments.seconds)["images_per_second"]
        for connections in CONNECTIONS:
            row = measure_service(service, picture, connections, arguments.seconds)
            after = measure_limit(arguments.limit, picture, "fast", arguments.seconds)["images_per_second"]
            limit = (before + after) / 2
            before = after
            rate = row["images_per_second"]
            checks.check(
                f"images a second, {connections} connections", f"{rate:.1f} of {limit:.1f}, {rate / limit:.2f}",
                f"at least {TARGET_SHARE}", rate >= TARGET_SHARE * limit)
            if connections == FAIRNESS_CONNECTIONS:
                p50, p99 = row["p50_ms"], row["p99_ms"]
                checks.check(
                    f"fairness, {connections} connections",
                    f"p99 {p99:.0f} ms, p50 {p50:.0f} ms, {p99 / p50:.2f} times",
                    f"at most {TARGET_FAIRNESS:.0f} times", p99 <= TARGET_FAIRNESS * p50)
