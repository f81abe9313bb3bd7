"""Draws what bench_concurrency.py measured: a small bar chart for each figure."""

import logging
import os

from service import DEPENDENCIES

# Where matplotlib keeps the list of fonts that it makes once, and says so.
os.environ.setdefault("MPLCONFIGDIR", str(DEPENDENCIES / "cache" / "matplotlib"))
logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)

import matplotlib  # noqa: E402

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

PANELS = [
    ("images_per_second", "images a second"),
    ("peak_threads", "peak threads"),
    ("switches_per_image", "context switches an image"),
    ("peak_rss_mb", "peak memory, MB"),
    ("stop_ms", "from cancel to standstill, ms"),
    ("images_after_cancel", "images done after the cancel"),
    ("cpu_after_cancel_ms", "CPU time after the cancel, ms"),
    ("pool_delay_p99_ms", "wait for Swift's pool, p99, ms"),
]
OTHERS, OURS = "#9aa5b1", "#d9480f"


def plot(figures, ways, count, path):
    """Writes a PNG.

    figures: of each way by name; ways: their labels, this project's last; count: photos; path: of the PNG.
    """
    pyplot.rcParams.update({"font.size": 8, "axes.spines.top": False, "axes.spines.right": False})
    figure, axes = pyplot.subplots(4, 2, figsize=(7.5, 7), layout="constrained")
    labels = list(ways.values())
    colors = [OTHERS] * (len(labels) - 1) + [OURS]
    for axis, (name, title) in zip(axes.flat, PANELS):
        values = [figures[way][name] for way in ways]
        bars = axis.barh(labels, values, color=colors)
        axis.bar_label(bars, labels=[text(value) for value in values], padding=3)
        axis.set_title(title, loc="left", fontsize=8, fontweight="bold")
        axis.invert_yaxis()
        axis.margins(x=0.18)
        axis.xaxis.set_visible(False)
        axis.spines["bottom"].set_visible(False)
        axis.tick_params(left=False)
    for axis in axes[:, 1]:
        axis.set_yticklabels([])
    figure.suptitle(f"{count} photos decoded and inferred in four ways", fontsize=10)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=110, pil_kwargs={"optimize": True})
    pyplot.close(figure)


def text(value):
    """Whole where that says enough."""
    return f"{value:.0f}" if value >= 100 or value == int(value) else f"{value:.1f}"
