"""A stream of many small pictures through POST /v1/batch, made on the fly by a client that reads while it sends."""

import collections
import io
import json
import selectors
import socket
import time

from PIL import Image

from service import DEPENDENCIES, Service

SIDE = 224
BOUNDARY = b"bench-boundary"
FIRST_IMAGES = 1000
TARGET_GROWTH = 0.05
# A client that hears nothing for so long gives up.
SILENCE_SECONDS = 60
# What is made ahead of what the service takes.
AHEAD_BYTES = 256 * 1024
READ_BYTES = 256 * 1024

Variant = collections.namedtuple("Variant", "name flags is_unique")
VARIANTS = [
    Variant("each unlike the others, no cache", {"cache__memory_bytes": "0"}, True),
    Variant("each unlike the others, cache of 64 MiB", {"cache__memory_bytes": "64MiB"}, True),
    Variant("all alike, found in the cache", {"cache__memory_bytes": "64MiB"}, False),
]


class Parts:
    """The multipart body as chunks, one for each picture."""

    def __init__(self, picture, count, is_unique):
        self.picture = picture
        self.count = count
        self.is_unique = is_unique
        self.made = 0
        self.has_ended = False

    def next(self):
        """The next chunk; b"" after the last."""
        if self.has_ended:
            return b""
        if self.made == self.count:
            self.has_ended = True
            return chunk(b"--" + BOUNDARY + b"--\r\n") + b"0\r\n\r\n"
        number = self.made if self.is_unique else 0
        part = (b'--%b\r\nContent-Disposition: form-data; name="f"; filename="%d"\r\n\r\n%b%016d\r\n'
                % (BOUNDARY, self.made, self.picture, number))
        self.made += 1
        return chunk(part)


def chunk(data):
    """RFC 9112, section 7.1."""
    return b"%x\r\n%b\r\n" % (len(data), data)


class Lines:
    """Counts the lines of the answer, in whatever chunks it comes, and keeps its beginning and its end.

    A line feed that ends a line of the answer follows a brace; those of the chunks' framing follow a carriage return.
    """

    def __init__(self):
        self.count = 0
        self.beginning = b""
        self.end = b""

    def feed(self, data):
        """Takes the next bytes."""
        self.count += (self.end[-1:] + data).count(b"}\n")
        if len(self.beginning) < 1024:
            self.beginning = (self.beginning + data)[:1024]
        self.end = (self.end + data)[-4096:]

    @property
    def is_complete(self):
        """Whether the last chunk was there."""
        return self.end.endswith(b"\r\n0\r\n\r\n")

    @property
    def status(self):
        """Of the response."""
        return int(self.beginning.split(b" ", 2)[1])

    @property
    def summary(self):
        """The last line."""
        line = self.end[self.end.rindex(b'{"done"'):]
        return json.loads(line[:line.index(b"}\n") + 1])


def small_picture():
    """A picture of the model's own size, so that most of the work is the model's."""
    with Image.open(DEPENDENCIES / "pictures" / "china.jpg") as photo:
        file = io.BytesIO()
        photo.resize((SIDE, SIDE), Image.Resampling.BICUBIC).save(file, "JPEG", quality=85)
        return file.getvalue()


def stream(port, parts, on_images):
    """Sends and reads at the same time; calls `on_images` with the number of answers whenever some came."""
    head = (b"POST /v1/batch HTTP/1.1\r\nHost: bench\r\nTransfer-Encoding: chunked\r\n"
            b"Content-Type: multipart/form-data; boundary=" + BOUNDARY + b"\r\n\r\n")
    lines = Lines()
    with socket.create_connection(("127.0.0.1", port)) as connection, selectors.DefaultSelector() as selector:
        connection.setblocking(False)
        selector.register(connection, selectors.EVENT_READ | selectors.EVENT_WRITE)
        waiting = bytearray(head)
        while not lines.is_complete:
            ready = selector.select(SILENCE_SECONDS)
            if not ready:
                raise TimeoutError(f"no byte for {SILENCE_SECONDS} s, after {lines.count} answers")
            if ready[0][1] & selectors.EVENT_READ:
                data = connection.recv(READ_BYTES)
                if not data:
                    raise ConnectionError(f"closed after {lines.count} answers: {bytes(lines.end[-300:])}")
                lines.feed(data)
                on_images(lines.count)
            if ready[0][1] & selectors.EVENT_WRITE:
                while len(waiting) < AHEAD_BYTES and (part := parts.next()):
                    waiting += part
                del waiting[:connection.send(waiting)]
                if not waiting and parts.has_ended:
                    selector.modify(connection, selectors.EVENT_READ)
    return lines


class Memory:
    """What the service takes after the first thousand pictures and at the end."""

    def __init__(self, service, first):
        self.service = service
        self.first = first
        self.after_first = None

    def observe(self, images):
        """So many are done."""
        if self.after_first is None and images >= self.first:
            self.after_first = self.now()

    def now(self):
        """Resident memory and what of it is the cache, in MB."""
        return self.service.memory_mb("VmRSS"), self.service.metrics().value("embedd_cache_bytes") / 1e6


def run(arguments, checks):
    """The part `batch`."""
    picture = small_picture()
    first = min(FIRST_IMAGES, arguments.images // 2)
    print(f"batch: {arguments.images} pictures of {SIDE}x{SIDE}, {len(picture)} bytes")
    for variant in VARIANTS:
        with Service(arguments.service, **variant.flags) as service:
            memory = Memory(service, first)
            begun = time.monotonic()
            lines = stream(
                service.port, Parts(picture, arguments.images, variant.is_unique), memory.observe)
            seconds = time.monotonic() - begun
            (rss, cache), (first_rss, first_cache) = memory.now(), memory.after_first
            summary = lines.summary
        checks.note(f"{variant.name}: {arguments.images / seconds:.1f} images/s, {seconds:.1f} s")
        checks.check(
            f"memory, {variant.name}",
            f"{rss:.0f} MB, of it {cache:.0f} MB cache, beside {first_rss:.0f} MB, of it {first_cache:.0f} MB cache, "
            f"after {first}; without the cache {(rss - cache) / (first_rss - first_cache) - 1:+.1%}",
            f"at most {TARGET_GROWTH:+.0%}", rss - cache <= (1 + TARGET_GROWTH) * (first_rss - first_cache))
        checks.check(
            f"answers, {variant.name}", f"status {lines.status}, {summary['ok']} vectors",
            f"200, {arguments.images}",
            lines.status == 200 and summary == {
                "done": True, "total": arguments.images, "ok": arguments.images, "failed": 0})
