import { EVENTS_PER_REQUEST, FEED_ENTRIES, requestsTo } from './bodies.ts';
import { storing } from './checks.ts';
import { CONNECTIONS, load, type Measured, type Request } from './load.ts';
import type { Ceilings, Service } from './subjects.ts';

export interface Case {
  readonly name: string;
  readonly unit: string;
  readonly warmUp: () => Promise<unknown>;
  readonly ours: () => Promise<number>;
  readonly ceiling: () => Promise<number>;
  readonly target: string;
  readonly holds: (ratio: number) => boolean;
}

const WARM_SECONDS = 1;
const INGEST_SECONDS = 3;
/** Reads are measured during ingest. */
const READ_SECONDS = 2;
const INGEST_LEAD_MS = 500;

export function casesOf(service: Service, ceilings: Ceilings): readonly Case[] {
  const { verify, telemetry, feed, feedGzip, feedKnown } = requestsTo(service);
  const ingest = (seconds?: number) => storing(service, () => load(telemetry, seconds));

  const answered = (name: string, ours: Request, ceiling: string, target?: number): Case => {
    const theirs = { ...ours, url: ceiling };
    return {
      name,
      unit: 'req/s',
      warmUp: async () => [await load(ours, WARM_SECONDS), await load(theirs, WARM_SECONDS)],
      ours: async () => perSecond(await load(ours)),
      ceiling: async () => perSecond(await load(theirs)),
      ...(target === undefined ? UNAIMED : atLeast(target)),
    };
  };

  const underIngest = async () => {
    const ingested = ingest(INGEST_SECONDS);
    await Bun.sleep(INGEST_LEAD_MS);
    const { p99Ms } = await load(verify, READ_SECONDS);
    await ingested;
    return p99Ms;
  };

  return [
    answered('license/verify', verify, ceilings.verify, 0.6),
    answered('license/verify, ceiling by hand', verify, ceilings.verifyByHand),
    answered('threat-feed, 304', feedKnown, ceilings.notModified, 0.6),
    answered('threat-feed, 304, ceiling by hand', feedKnown, ceilings.notModifiedByHand),
    answered(`threat-feed, ${entries} entries`, feed, ceilings.identity, 0.9),
    answered(`threat-feed, ${entries} entries, gzip`, feedGzip, ceilings.gzip, 0.9),
    {
      name: `telemetry, ${EVENTS_PER_REQUEST} events per request, durable`,
      unit: 'rows/s',
      warmUp: () => ingest(WARM_SECONDS),
      ours: async () => perSecond(await ingest()) * EVENTS_PER_REQUEST,
      ceiling: ceilings.insertedPerSecond,
      ...atLeast(0.3),
    },
    {
      name: `license/verify, 99th percentile, under ingest by ${CONNECTIONS} clients / idle`,
      unit: 'ms',
      warmUp: underIngest,
      ours: underIngest,
      ceiling: async () => (await load(verify, READ_SECONDS)).p99Ms,
      ...atMost(3),
    },
  ];
}

const entries = FEED_ENTRIES.toLocaleString('en');
const perSecond = ({ requests, seconds }: Measured) => requests / seconds;
const atLeast = (target: number) => ({ target: `>= ${target}`, holds: (ratio: number) => ratio >= target });
const UNAIMED = { target: '', holds: () => true };
const atMost = (target: number) => ({ target: `<= ${target}`, holds: (ratio: number) => ratio <= target });
