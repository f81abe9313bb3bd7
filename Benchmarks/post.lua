-- wrk: posts the file that BENCH_PICTURE names, and prints one JSON line with what wrk counted.

-- Found from where `run` starts the benchmark.
dofile("latency.lua")

function init()
    local file = assert(io.open(os.getenv("BENCH_PICTURE"), "rb"))
    local body = file:read("*a")
    file:close()
    request_bytes = wrk.format("POST", nil, { ["Content-Type"] = "application/octet-stream" }, body)
end

function request()
    return request_bytes
end
