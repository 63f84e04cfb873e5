-- One request, described by LOAD_* in the environment. Ends with what was measured as a line of JSON.

wrk.body = os.getenv('LOAD_BODY')
wrk.method = wrk.body and 'POST' or 'GET'
for name, value in os.getenv('LOAD_HEADERS'):gmatch('([^:\n]+): ([^\n]*)') do
  wrk.headers[name] = value
end

local each = os.getenv('LOAD_EACH')
if each then
  local prefix, pieces, from, count = os.getenv('LOAD_PREFIX'), {}, 1, 0
  repeat
    local first, last = wrk.body:find(each, from, true)
    pieces[#pieces + 1] = wrk.body:sub(from, (first or 0) - 1)
    from = (last or 0) + 1
  until not first
  request = function()
    count = count + 1
    return wrk.format(nil, nil, nil, table.concat(pieces, string.format('%s-%08d', prefix, count)))
  end
end

done = function(summary, latency)
  local failed = summary.errors
  print(string.format(
    '\n{"requests":%d,"seconds":%f,"p99Ms":%f,"refused":%d,"broken":%d}',
    summary.requests, summary.duration / 1e6, latency:percentile(99) / 1e3,
    failed.status, failed.connect + failed.read + failed.write + failed.timeout))
end
