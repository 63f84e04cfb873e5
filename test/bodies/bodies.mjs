// Prints request bodies as fetch with JSON.stringify sends them, a JSON line each.
const say = (route, body, odd = 0) =>
  console.log(JSON.stringify({ client: 'node', route, odd, body: JSON.stringify(body) }));
const at = new Date(1767323045678);
for (const moment of [at, at.toISOString(), undefined, null, ''])
  say('telemetry', {
    domain: 'bodies.com',
    site_uuid: undefined,
    events: [{ type: 'x', occurred_at: moment, message: null }],
  });
for (const stats of [null, {}, { ratio: 0.1 + 0.2, nan: Number.NaN, zero: -0, huge: 1e21 }, undefined])
  say('telemetry', {
    site_url: 'https://bodies.com',
    license_key: '__KEY__',
    plugin_version: '',
    stats,
    events: [],
  });
say('telemetry', { domain: 'bodies.com', events: [{ type: 'x', event_id: Number.MAX_SAFE_INTEGER }] });
for (const field of ['severity', 'message', 'event_id', 'metadata', 'occurred_at'])
  for (const empty of [null, ''])
    say('telemetry', { site_url: 'bodies.com', event_type: 'x', [field]: empty });
say('telemetry', {
  site_url: 'bodies.com',
  event_type: 'x',
  message: 'Größe 😀 \u2028',
  metadata: { nested: [null] },
});
for (const key of ['__KEY__', '__KEY__\n', '\t__KEY__', '\u200b__KEY__\u00a0'])
  say('verify', { api_key: key, domain: 'https://bodies.com', version: undefined });
for (const [version, odd] of [
  ['v1.2.3', 0],
  ['1.2.3 ', 0],
  [null, 1],
  [1, 0],
  [1.5, 1],
])
  say('components', { components: [{ ecosystem: 'npm', name: 'left-pad', version, status: null }] }, odd);
