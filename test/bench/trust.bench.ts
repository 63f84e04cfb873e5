/**
 * The cost of trust states: `bun test/bench/trust.bench.ts`. The state, the badge and the page of one site,
 * requested with and without a cached copy, next to the threat feed; in interleaved rounds, by wrk.
 */
import { API } from '../support/client.ts';
import { start } from '../support/service.ts';
import { assess, tenantOf } from '../support/trust.ts';
import { expectWrk, load } from './load.ts';

const ROUNDS = 5;
expectWrk();
const service = await start('binary', {
  SERVICE_BASE_URL: 'https://redoubt.example',
  SERVICE_THREAT_FEED_ENABLED: '1',
  SERVICE_RATE_KEY_PER_MINUTE: '1000000000',
  SERVICE_RATE_IP_PER_MINUTE: '1000000000',
});
const tenant = await tenantOf(service, 'shop.com');
assess(service, tenant, 'shop.com', 'A');
const authorized = { authorization: `Bearer ${tenant.key}` };
const enabled = await fetch(`${service.url}${API}/sites/${tenant.sites['shop.com']}/trust`, {
  method: 'POST',
  headers: authorized,
  body: '{"enabled":true}',
});
const { data } = (await enabled.json()) as { data: { trust_id: string } };

const PATHS = {
  'threat-feed': `${API}/threat-feed`,
  state: `${API}/trust/${data.trust_id}`,
  badge: `${API}/trust/${data.trust_id}/badge.svg`,
  page: `/trust/${data.trust_id}`,
};
const cases = await Promise.all(
  Object.entries(PATHS).flatMap(([name, path]) =>
    [true, false].map(async (isKnown) => {
      const url = service.url + path;
      const headers = name === 'threat-feed' ? authorized : {};
      const etag = (await fetch(url, { headers })).headers.get('etag') ?? '';
      const sent = { url, headers: isKnown ? { ...headers, 'if-none-match': etag } : headers };
      return { name: `${name}, ${isKnown ? 304 : 200}`, sent, perSecond: [] as number[] };
    }),
  ),
);
for (let round = 0; round < ROUNDS; round++)
  for (const { sent, perSecond } of cases) {
    const { requests, seconds } = await load(sent);
    perSecond.push(requests / seconds);
  }

const medianOf = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
const [feed] = cases;
for (const { name, perSecond } of cases) {
  const ratio = medianOf(perSecond) / medianOf(feed?.perSecond ?? []);
  console.log(
    `${name}: ${Math.round(medianOf(perSecond)).toLocaleString('en')} req/s, ${ratio.toFixed(2)} of the feed's 304`,
  );
}
await service.end();
