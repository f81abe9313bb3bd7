"""Clients that post pictures, cheap enough to share two cores with the service: bytes are prepared once, and none are
copied in Python."""

import asyncio
import itertools
import socket
import struct
import time

NUMBER_BYTES = 16
READ_BYTES = 65_536
# close() then sends RST and not FIN (socket(7), SO_LINGER).
NO_LINGER = struct.pack("ii", 1, 0)


class Picture:
    """A picture as a request of which no two are the same: a number follows the picture's own end, where decoders don't
    look. Otherwise the service would compute all of them at once."""

    numbers = itertools.count()

    def __init__(self, path):
        body = path.read_bytes()
        head = (f"POST /v1/embed HTTP/1.1\r\nHost: bench\r\nContent-Type: image/jpeg\r\n"
                f"Content-Length: {len(body) + NUMBER_BYTES}\r\n\r\n").encode()
        self.request = memoryview(head + body)

    async def send(self, connection):
        """Sends a request."""
        loop = asyncio.get_running_loop()
        await loop.sock_sendall(connection, self.request)
        await loop.sock_sendall(connection, b"%016d" % next(self.numbers))


async def connect(port):
    """A connection to the service."""
    connection = socket.socket()
    connection.setblocking(False)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        await asyncio.get_running_loop().sock_connect(connection, ("127.0.0.1", port))
    except BaseException:
        connection.close()
        raise
    return connection


async def read_answer(connection):
    """Reads an answer with a Content-Length to its end, and gives its status."""
    loop = asyncio.get_running_loop()
    answer = b""
    while b"\r\n\r\n" not in answer:
        chunk = await loop.sock_recv(connection, READ_BYTES)
        if not chunk:
            raise ConnectionError("the service closed the connection")
        answer += chunk
    head, _, body = answer.partition(b"\r\n\r\n")
    lengths = [int(line.partition(b":")[2]) for line in head.lower().split(b"\r\n")
               if line.startswith(b"content-length:")]
    missing = lengths[0] - len(body)
    while missing > 0:
        chunk = await loop.sock_recv(connection, READ_BYTES)
        if not chunk:
            raise ConnectionError("the service closed the connection")
        missing -= len(chunk)
    return int(head.split(b" ", 2)[1])


async def post_once(port, picture):
    """Connects, posts and reads the answer: its status, and the seconds from before to after."""
    begun = time.monotonic()
    with await connect(port) as connection:
        await picture.send(connection)
        status = await read_answer(connection)
    return status, time.monotonic() - begun


async def post_and_leave(port, picture, seconds, resets):
    """As post_once, but leaves after so many seconds, with RST or FIN.

    Returns the answer's status; None if it left before that was there.
    """
    connection = None
    try:
        async with asyncio.timeout(seconds):
            connection = await connect(port)
            await picture.send(connection)
            return await read_answer(connection)
    except TimeoutError:
        return None
    finally:
        if connection is not None:
            if resets:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, NO_LINGER)
            connection.close()


async def post_steadily(port, picture, stop, durations):
    """Posts on one connection until `stop` is set, and appends the seconds of each request.

    Raises RuntimeError for an answer that is not 200.
    """
    with await connect(port) as connection:
        while not stop.is_set():
            begun = time.monotonic()
            await picture.send(connection)
            status = await read_answer(connection)
            durations.append(time.monotonic() - begun)
            if status != 200:
                raise RuntimeError(f"a steady client was answered {status}")
