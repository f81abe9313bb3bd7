"""The service as a process, for the benchmarks."""

import http.client
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
DEPENDENCIES = ROOT / ".deps"
START_SECONDS = 60
SAMPLE = re.compile(r"^(\w+)(?:\{(.*)\})? (\S+)$")
LABEL = re.compile(r'(\w+)="([^"]*)"')


class Service:
    """The service's process, on a free port, with the models of the checkout.

    Flags are named as in the configuration, with `__` for the point: `decode__mode="exact"`. The cache of results is
    off unless asked for. A launcher is what comes before the binary, and gives it its own process.
    """

    def __init__(self, binary, launcher=(), **flags):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        settings = {
            "server.port": self.port,
            "admin.port": 0,
            "models.path": DEPENDENCIES / "models",
            "inference.cache_path": DEPENDENCIES / "cache",
            "cache.memory_bytes": "0",
            "log.level": "warning",
        } | {name.replace("__", "."): value for name, value in flags.items()}
        started = time.monotonic()
        self.process = subprocess.Popen(
            [*launcher, binary, "serve"] + [f"--{name}={value}" for name, value in settings.items()])
        while not self.is_ready():
            if self.process.poll() is not None or time.monotonic() - started > START_SECONDS:
                self.process.kill()
                sys.exit("the service did not start")
            time.sleep(0.002)
        self.ready_seconds = time.monotonic() - started

    def get(self, path):
        """The status and body of a GET on a connection of its own."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    def is_ready(self):
        """Whether /readyz answers 200."""
        try:
            return self.get("/readyz")[0] == 200
        except OSError:
            return False

    def metrics(self):
        """What /metrics says now."""
        return Metrics(self.get("/metrics")[1])

    def memory_mb(self, field):
        """VmRSS, its parts RssAnon and RssFile, or VmHWM (the peak) in MB."""
        for line in pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith(field + ":"):
                return int(line.split()[1]) * 1024 / 1e6
        raise KeyError(field)

    def forget_peak(self):
        """Lets VmHWM start again from what is resident now (proc(5), clear_refs)."""
        pathlib.Path(f"/proc/{self.process.pid}/clear_refs").write_text("5")

    def cpu_seconds(self):
        """User and system time so far."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        """SIGTERM, and the wait for its end."""
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            print("the service did not stop within 30 s of SIGTERM", file=sys.stderr)


class Metrics:
    """The samples of one scrape."""

    def __init__(self, text):
        self.samples = {}
        for line in text.splitlines():
            if match := SAMPLE.match(line):
                labels = tuple(sorted(LABEL.findall(match[2] or "")))
                self.samples[match[1], labels] = float(match[3])

    def series(self, name):
        """Labels and value of each series of that name."""
        return [(dict(labels), value) for (sample, labels), value in self.samples.items() if sample == name]

    def value(self, name, **labels):
        """The sum of the series that have these labels."""
        return sum(value for found, value in self.series(name) if labels.items() <= found.items())

    def since(self, earlier):
        """What was counted since an earlier scrape. Not for gauges."""
        difference = Metrics("")
        difference.samples = {key: value - earlier.samples.get(key, 0) for key, value in self.samples.items()}
        return difference

    def quantile_bound(self, name, fraction, **labels):
        """The bound of the smallest bucket that holds this fraction of a histogram; None for one without samples."""
        buckets = sorted(
            (float(found["le"]), count) for found, count in self.series(f"{name}_bucket")
            if labels.items() <= found.items())
        if not buckets or buckets[-1][1] == 0:
            return None
        return next(bound for bound, count in buckets if count >= fraction * buckets[-1][1])
