"""Sixty-four connections that each post a picture of 48 megapixels at once."""

import asyncio
import collections

from PIL import Image

from checks import percentile
from posting import Picture, post_once
from service import DEPENDENCIES, ROOT, Service

CONNECTIONS = 64
SIZE = (8000, 6000)
SOURCE = DEPENDENCIES / "photos" / "nuthatch.jpg"
FOLDER = ROOT / "Benchmarks" / ".build" / "pictures"
BUDGET_MB = 512 * 1.048576
TARGET_OTHER_MB = 100
IDLE_SECONDS = 1
# All are to be decoded, however slow the machine.
PATIENT = {"queue__timeout": "10m", "request__deadline": "10m"}
LONGEST_SECONDS = 600

Variant = collections.namedtuple("Variant", "name is_progressive flags")
VARIANTS = [
    Variant("baseline", False, {}),
    Variant("progressive", True, {}),
    # Where a few cores would never decode enough at a time to need the budget.
    Variant("progressive, 16 decode threads", True, {"decode__threads": "16"}),
]


def make_picture(is_progressive):
    """The photo at 48 megapixels, kept for the next run."""
    path = FOLDER / f"48-megapixels-{'progressive' if is_progressive else 'baseline'}.jpg"
    if not path.exists():
        FOLDER.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(".new")
        with Image.open(SOURCE) as photo:
            photo.resize(SIZE, Image.Resampling.BICUBIC).save(
                unfinished, "JPEG", quality=90, subsampling="4:2:0", progressive=is_progressive)
        unfinished.rename(path)
    return path


async def post_all(service, picture):
    """All at once; status and seconds of each."""
    return await asyncio.gather(*(post_once(service.port, picture) for _ in range(CONNECTIONS)))


async def idle(service):
    """What is resident when nothing has happened for a moment."""
    await asyncio.sleep(IDLE_SECONDS)
    return service.memory_mb("VmRSS")


async def measure(service, picture):
    """Resident memory before, its peak, and the answers."""
    before = await idle(service)
    service.forget_peak()
    answers = await post_all(service, picture)
    return before, service.memory_mb("VmHWM"), answers


def run(arguments, checks):
    """The part `memory`."""
    print(f"memory: {CONNECTIONS} connections, {SIZE[0]}x{SIZE[1]} each")
    for name, is_progressive, flags in VARIANTS:
        path = make_picture(is_progressive)
        with Service(arguments.service, **PATIENT, **flags) as service:
            before, peak, answers = asyncio.run(
                asyncio.wait_for(measure(service, Picture(path)), LONGEST_SECONDS))
        refused = sorted(status for status, _ in answers if status != 200)
        seconds = [seconds for _, seconds in answers]
        checks.note(
            f"{name}: files of {path.stat().st_size / 1e6:.1f} MB, answered after {percentile(seconds, 50):.1f} s "
            f"(p50), {max(seconds):.1f} s (last)")
        limit = before + BUDGET_MB + TARGET_OTHER_MB
        checks.check(
            f"peak memory, {name}", f"{peak:.0f} MB, {peak - before:.0f} MB over {before:.0f} MB idle",
            f"at most {limit:.0f} MB: idle, {BUDGET_MB:.0f} MB budget, {TARGET_OTHER_MB} MB", peak <= limit)
        checks.check(f"answers, {name}", f"{len(refused)} not 200 {refused[:3] or ''}".strip(), "0", not refused)
