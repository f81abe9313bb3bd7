"""What h11 makes of requests: reads JSON lines, each with a request in hexadecimal, and answers each with a line."""

import json
import sys

import h11


def text(value):
    return bytes(value).decode("utf-8", errors="replace")


def verdict(data):
    connection = h11.Connection(h11.SERVER)
    connection.receive_data(data)
    request, body = None, b""
    try:
        while True:
            event = connection.next_event()
            if isinstance(event, h11.Request):
                request = event
            elif isinstance(event, h11.Data):
                body += bytes(event.data)
            elif isinstance(event, h11.EndOfMessage):
                break
            else:
                return {"verdict": "incomplete"}
    except h11.RemoteProtocolError as error:
        return {"verdict": "refuse", "reason": str(error)}
    return {
        "verdict": "accept",
        "method": text(request.method),
        "target": text(request.target),
        "headers": [[text(name), text(value)] for name, value in request.headers],
        "body": body.hex(),
        "rest": bytes(connection.trailing_data[0]).hex(),
    }


def main():
    for line in sys.stdin:
        print(json.dumps(verdict(bytes.fromhex(json.loads(line)["request"]))))


main()
