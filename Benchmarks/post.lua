-- wrk: posts the file that BENCH_PICTURE names, and prints one JSON line with what wrk counted.
function init()
    local file = assert(io.open(os.getenv("BENCH_PICTURE"), "rb"))
    local body = file:read("*a")
    file:close()
    request_bytes = wrk.format("POST", nil, { ["Content-Type"] = "application/octet-stream" }, body)
end

function request()
    return request_bytes
end

function done(summary, latency)
    local errors = summary.errors
    io.write(string.format(
        '{"requests":%d,"seconds":%.6f,"p50_ms":%.3f,"p99_ms":%.3f,"failed":%d}\n',
        summary.requests, summary.duration / 1e6, latency:percentile(50) / 1000, latency:percentile(99) / 1000,
        errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
