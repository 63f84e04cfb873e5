import type { Request } from './load.ts';
import type { Service } from './subjects.ts';

export const DOMAIN = 'shop.bench-customer.com';
export const EVENTS_PER_REQUEST = 100;
export const FEED_ENTRIES = 10_000;

const PLACEHOLDER = '{EACH}';

/** A telemetry request of attack events, each with its own event_id. */
export const telemetryBody = (unique: string) => ({
  domain: DOMAIN,
  events: Array.from({ length: EVENTS_PER_REQUEST }, (_, index) => ({
    type: 'attack_blocked',
    severity: 'high',
    message: 'SQL injection blocked in parameter q',
    event_id: `${unique}-${index}`,
    metadata: { rule: 'sqli-7', path: '/search' },
  })),
});

/** The measured requests. */
export function requestsTo({ api, key, feedEtag }: Pick<Service, 'api' | 'key' | 'feedEtag'>) {
  const headers = { authorization: `Bearer ${key}` };
  const posting = { ...headers, 'content-type': 'application/json' };
  const feed = { url: `${api}/threat-feed`, headers };
  return {
    verify: {
      url: `${api}/license/verify`,
      headers: posting,
      body: JSON.stringify({ domain: DOMAIN }),
    },
    telemetry: {
      url: `${api}/telemetry`,
      headers: posting,
      body: JSON.stringify(telemetryBody(PLACEHOLDER)),
      each: PLACEHOLDER,
    },
    feed,
    feedGzip: { ...feed, headers: { ...headers, 'accept-encoding': 'gzip' } },
    feedKnown: { ...feed, headers: { ...headers, 'if-none-match': feedEtag } },
  } satisfies Record<string, Request>;
}
