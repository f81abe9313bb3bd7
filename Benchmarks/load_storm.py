"""Clients that post a 12-megapixel photo and leave at a random moment, beside as many that stay and are served; eight
steady clients go on posting through both."""

import asyncio
import dataclasses
import random
import time

from checks import percentile
from posting import Picture, post_and_leave, post_once, post_steadily
from service import DEPENDENCIES, Metrics, Service

STEADY_CLIENTS = 8
# With the steady ones, 64 connections at a time.
VISITORS_AT_A_TIME = 56
SETTLE_SECONDS = 10
# A service that takes longer hangs: many times what two cores need.
START_SECONDS, SECONDS_A_CLIENT = 60, 0.5
TARGET_WASTE = 0.02
TARGET_P99 = 2.0
TARGET_CANCEL_SECONDS = 0.01
# What holds something for an image or a request; all are zero when nothing runs.
GAUGES = [
    "embedd_images_in_flight", "embedd_images_queued", "embedd_queue_bytes", "embedd_decode_memory_bytes",
    "embedd_decode_running", "embedd_flights", "embedd_batches_open", "http_server_requests_in_flight",
    "http_server_connections_open",
]
# The scrape itself is a request on a connection.
OF_THE_SCRAPE = {"http_server_requests_in_flight": 1, "http_server_connections_open": 1}


@dataclasses.dataclass
class Phase:
    """What happened while the visitors came."""
    seconds: float = 0
    left: int = 0
    served: list = dataclasses.field(default_factory=list)
    failed: int = 0
    steady: list = dataclasses.field(default_factory=list)
    counted: Metrics | None = None


async def run_phase(service, visit, is_over, steady_picture):
    """Has the visitors come, VISITORS_AT_A_TIME at a time, until the phase is over, beside the steady clients."""
    phase = Phase()
    stop = asyncio.Event()

    async def visit_again_and_again():
        while not is_over(phase):
            await visit(phase)

    before = service.metrics()
    begun = time.monotonic()
    async with asyncio.TaskGroup() as group:
        for _ in range(STEADY_CLIENTS):
            group.create_task(post_steadily(service.port, steady_picture, stop, phase.steady))
        async with asyncio.TaskGroup() as visitors:
            for _ in range(VISITORS_AT_A_TIME):
                visitors.create_task(visit_again_and_again())
        phase.seconds = time.monotonic() - begun
        phase.counted = service.metrics().since(before)
        stop.set()
    return phase


def count_visit(phase, status, seconds):
    """Counts a visitor who was answered, or left."""
    if status is None:
        phase.left += 1
    elif status == 200:
        phase.served.append(seconds)
    else:
        phase.failed += 1


def staying(service, picture):
    """A visitor who waits for the answer."""
    async def visit(phase):
        count_visit(phase, *await post_once(service.port, picture))
    return visit


def leaving(service, picture, patience, chance):
    """A visitor who leaves, every other one with RST, at any moment of what a visitor who stays would wait."""
    async def visit(phase):
        begun = time.monotonic()
        seconds = chance.uniform(0, patience)
        status = await post_and_leave(service.port, picture, seconds, resets=chance.random() < 0.5)
        count_visit(phase, status, time.monotonic() - begun)
    return visit


async def measure(service, count, seed):
    """A warm-up, the phase of those who stay, and the storm."""
    picture = Picture(DEPENDENCIES / "photos" / "sunset.jpg")
    steady_picture = Picture(DEPENDENCIES / "pictures" / "china.jpg")
    stays = staying(service, picture)
    await run_phase(service, stays, lambda phase: len(phase.served) >= VISITORS_AT_A_TIME, steady_picture)
    stay = await run_phase(service, stays, lambda phase: len(phase.served) + phase.failed >= count, steady_picture)
    leaves = leaving(service, picture, percentile(stay.served, 50), random.Random(seed))
    storm = await run_phase(service, leaves, lambda phase: phase.left >= count, steady_picture)
    return stay, storm


def gauges_left(service):
    """The gauges that are not back at zero after a while; none, if all is well."""
    deadline = time.monotonic() + SETTLE_SECONDS
    while True:
        metrics = service.metrics()
        left = {name: value for name in GAUGES if (value := metrics.value(name) - OF_THE_SCRAPE.get(name, 0)) != 0}
        if not left or time.monotonic() > deadline:
            return left
        time.sleep(0.1)


def report_phase(checks, name, phase):
    """A line of a phase's figures."""
    checks.note(
        f"{name}: {phase.seconds:.1f} s, {phase.left} left, {len(phase.served)} served; "
        f"CPU {phase.counted.value('process_cpu_seconds_total'):.1f} s; {len(phase.steady)} steady requests, "
        f"p50 {percentile(phase.steady, 50) * 1000:.0f} ms, p99 {percentile(phase.steady, 99) * 1000:.0f} ms")


def report_cancellations(checks, counted):
    """How many there were, of each stage and reason, and how long they took."""
    kinds = [f"{found['stage']} {found['reason']} {value:.0f}"
             for found, value in counted.series("embedd_cancelled_total") if value]
    checks.note("cancelled: " + (", ".join(sorted(kinds)) or "none"))
    name = "embedd_cancel_latency_seconds"
    for stage in sorted({found["stage"] for found, value in counted.series(f"{name}_count") if value}):
        bound = counted.quantile_bound(name, 0.99, stage=stage)
        mean = counted.value(f"{name}_sum", stage=stage) / counted.value(f"{name}_count", stage=stage)
        checks.check(
            f"cancel latency, {stage}",
            f"p99 at most {bound * 1000:g} ms, mean {mean * 1000:.2f} ms of "
            f"{counted.value(f'{name}_count', stage=stage):.0f}",
            f"p99 at most {TARGET_CANCEL_SECONDS * 1000:.0f} ms", bound <= TARGET_CANCEL_SECONDS)


def run(arguments, checks):
    """The part `storm`."""
    print(f"storm: {arguments.clients} clients, {VISITORS_AT_A_TIME} at a time, beside {STEADY_CLIENTS} steady ones")
    with Service(arguments.service) as service:
        stay, storm = asyncio.run(asyncio.wait_for(
            measure(service, arguments.clients, arguments.seed),
            START_SECONDS + arguments.clients * SECONDS_A_CLIENT))
        left = gauges_left(service)
    report_phase(checks, "they stay", stay)
    report_phase(checks, "they leave", storm)
    cpu = storm.counted.value("process_cpu_seconds_total")
    wasted = storm.counted.value("embedd_wasted_seconds_total")
    checks.check(
        "work for nobody", f"{wasted:.2f} s of {cpu:.1f} s, {wasted / cpu:.1%}", f"under {TARGET_WASTE:.0%}",
        wasted < TARGET_WASTE * cpu)
    stay_p99, storm_p99 = percentile(stay.steady, 99), percentile(storm.steady, 99)
    checks.check(
        "steady clients' p99", f"{storm_p99 * 1000:.0f} ms beside {stay_p99 * 1000:.0f} ms, "
        f"{storm_p99 / stay_p99:.2f} times", f"at most {TARGET_P99:.0f} times", storm_p99 <= TARGET_P99 * stay_p99)
    failed = stay.failed + storm.failed
    checks.check("those who stayed and were not served", f"{failed}", "0", failed == 0)
    report_cancellations(checks, storm.counted)
    checks.check(
        "gauges afterwards", ", ".join(f"{name} {value:g}" for name, value in left.items()) or "all zero", "all zero",
        not left)
