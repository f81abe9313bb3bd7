-- wrk: posts the file that BENCH_PICTURE names, and prints one JSON line with what wrk counted.
--
-- A number follows the picture's own end, where decoders don't look, so that no two requests that are under way at the
-- same time have the same bytes: the service would compute those only once. All of them are made beforehand, which
-- leaves more of the processors to the service.

-- Found from the folder that wrk is started in.
dofile("latency.lua")

local requests = {}
local count = 0

function init()
    local file = assert(io.open(os.getenv("BENCH_PICTURE"), "rb"))
    local picture = file:read("*a")
    file:close()
    for number = 1, 2 * tonumber(os.getenv("BENCH_CONNECTIONS")) do
        local body = picture .. string.format("%016d", number)
        requests[number] = wrk.format("POST", nil, { ["Content-Type"] = "application/octet-stream" }, body)
    end
end

function request()
    count = count % #requests + 1
    return requests[count]
end
