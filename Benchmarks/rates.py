"""How many images a second: the loop without HTTP, and the service under wrk."""

import json
import os
import pathlib
import subprocess
import sys

from service import DEPENDENCIES

BENCHMARKS = pathlib.Path(__file__).resolve().parent


def measure_limit(binary, picture, mode, seconds):
    """Images per second and CPU time per image of the loop without HTTP."""
    output = subprocess.run(
        [binary, str(DEPENDENCIES / "models" / "efficientnet-lite0"), str(picture), mode, str(seconds)],
        check=True, capture_output=True, text=True).stdout
    return json.loads(output)


def measure_service(service, picture, connections, seconds):
    """What wrk counted, and what the service used meanwhile."""
    service.forget_peak()
    cpu = service.cpu_seconds()
    output = subprocess.run(
        ["wrk", "--threads", "1", "--connections", str(connections), "--duration", f"{seconds}s", "--timeout", "120s",
         "--script", "post.lua", f"http://127.0.0.1:{service.port}/v1/embed"],
        check=True, capture_output=True, text=True, cwd=BENCHMARKS,
        env={
            **os.environ, "BENCH_PICTURE": str(pathlib.Path(picture).resolve()),
            "BENCH_CONNECTIONS": str(connections)}).stdout
    result = json.loads(output.splitlines()[-1])
    if result["failed"]:
        sys.exit(f"{result['failed']} requests failed:\n{output}")
    return {
        "connections": connections,
        "images_per_second": result["requests"] / result["seconds"],
        "p50_ms": result["p50_ms"],
        "p99_ms": result["p99_ms"],
        "peak_rss_mb": service.memory_mb("VmHWM"),
        "cpu_ms_per_image": (service.cpu_seconds() - cpu) * 1000 / max(result["requests"], 1),
    }
