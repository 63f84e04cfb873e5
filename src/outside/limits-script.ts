/**
 * Draws from token buckets in the server, all that are asked for at once and none in between, by the generic cell rate algorithm
 * (ITU-T I.371): when a bucket is full says all of it. Times are the server's own, as the clocks of nodes differ, in microseconds.
 *
 * Keys: one per bucket. Arguments: of each its capacity, per minute, how many draws are wanted, and of how many tokens each is, all or none
 * of which are taken. Returns of each how many draws were granted, and in how many microseconds it is full. A bucket that a clock which was set back has left further away than its capacity
 * counts as empty. A thousandth of a token is what a moment that was rounded may lack.
 */
export const DRAW_SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local minute = 60000000
local answer = {}
for index, key in ipairs(KEYS) do
  local capacity, wanted, units = tonumber(ARGV[3 * index - 2]), tonumber(ARGV[3 * index - 1]), tonumber(ARGV[3 * index])
  local full_at = tonumber(redis.call('GET', key)) or now
  local full_in = math.min(math.max(full_at - now, 0), minute)
  local granted = math.min(wanted, math.floor(((minute - full_in) * capacity / minute + 0.001) / units))
  full_in = full_in + granted * units * minute / capacity
  redis.call('SET', key, string.format('%.17g', now + full_in), 'PX', math.ceil(full_in / 1000) + 1)
  answer[2 * index - 1], answer[2 * index] = granted, math.floor(full_in)
end
return answer
`;
