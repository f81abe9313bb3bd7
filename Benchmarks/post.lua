-- wrk: posts the file that BENCH_PICTURE names, and prints one JSON line with what wrk counted.
--
-- A number follows the picture's own end, where decoders don't look, so that no two requests have the same bytes: the
-- service would compute those only once.

-- Found from the folder that wrk is started in.
dofile("latency.lua")

local count = 0

function init()
    local file = assert(io.open(os.getenv("BENCH_PICTURE"), "rb"))
    local body = file:read("*a") .. string.rep("0", 16)
    file:close()
    local request = wrk.format("POST", nil, { ["Content-Type"] = "application/octet-stream" }, body)
    unnumbered = string.sub(request, 1, -17)
end

function request()
    count = count + 1
    return unnumbered .. string.format("%016d", count)
end
