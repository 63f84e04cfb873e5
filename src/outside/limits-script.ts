/**
 * Draws from several token buckets atomically, with the generic cell rate algorithm (ITU-T I.371): the only stored value is the
 * moment when the bucket is full. Times are in microseconds by the server's clock, because the clocks of nodes differ.
 *
 * Keys: one per bucket. Arguments, three per bucket: its capacity (tokens per minute), the number of draws, and the tokens per
 * draw. A draw takes all of its tokens or none. Returns two numbers per bucket: the draws granted, and the microseconds until it
 * is full. If the clock was set back and the stored moment is more than a minute away, the bucket counts as empty. The 0.001
 * tokens compensate for rounded moments.
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
