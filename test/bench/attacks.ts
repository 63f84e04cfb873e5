import { ADVERSARIAL } from '../domain/privacy/adversarial.ts';
import { API } from '../support/client.ts';
import type { Attack } from './flood.ts';

// Attacks of a hostile client on a service, without a key and with two.

export interface NamedAttack {
  readonly name: string;
  readonly attack: Attack;
  readonly connections: number;
}

const MEGABYTE = 1_000_000;
const EVENTS_PER_REQUEST = 100;
const TELEMETRY_BYTES = 256 * 1024;
const SIGNAL_BYTES = 31 * 1024;
const CHUNKS = `${'1\r\n \r\n'.repeat(TELEMETRY_BYTES)}0\r\n\r\n`;

/** Twelve thousand requests are more than one read of a connection returns. */
const requests = (line: string, headers = '', times = 12_500): Attack => ({
  kind: 'unawaited',
  text: `${line} HTTP/1.1\r\nHost:x\r\n${headers}\r\n`.repeat(times),
});

const bearer = (key: string) => `Authorization:Bearer ${key}\r\n`;

const by = (name: string, attack: Attack, connections = 1): NamedAttack => ({ name, attack, connections });

/**
 * @param large the key of a license with the maximum of sites and alerts
 * @param other that of another license
 */
export const attacksWith = (large: string, other: string): readonly NamedAttack[] => [
  by('nobody', { kind: 'idle' }, 0),
  by('the contract', requests(`GET ${API}/openapi`)),
  by('the contract, HEAD', requests(`HEAD ${API}/openapi`)),
  by('the contract, HEAD, 4 connections', requests(`HEAD ${API}/openapi`), 4),
  by(
    'the contract, a megabyte of ETags',
    requests(`GET ${API}/openapi`, `If-None-Match:${','.repeat(MEGABYTE)}\r\n`, 1),
  ),
  by('/docs/viewer.js', requests('GET /docs/viewer.js')),
  by('404', requests('GET /nope')),
  by('404, 50 connections', requests('GET /nope'), 50),
  by('404, a path of a megabyte', requests(`GET /${'x'.repeat(MEGABYTE)}`, '', 1)),
  by('a path of a megabyte of escapes', requests(`GET ${API}/sites/${'%2f'.repeat(MEGABYTE / 3)}`, '', 1)),
  by('/status', requests(`GET ${API}/status`)),
  by('an unknown key', requests(`GET ${API}/me`, bearer('rdt_live_x'))),
  by(
    'telemetry in chunks of one byte',
    requests(`POST ${API}/telemetry`, `${bearer(other)}Transfer-Encoding:chunked\r\n\r\n${CHUNKS}`, 1),
  ),
  by('telemetry of the largest body', {
    kind: 'ask',
    path: `${API}/telemetry`,
    key: other,
    body: largestTelemetry(),
    status: 200,
  }),
  by('a signal that is hard to look through', {
    kind: 'ask',
    path: `${API}/digital-immunity/signal`,
    key: other,
    body: hardSignal(),
    status: 400,
  }),
  by('analytics of the largest tenant', {
    kind: 'ask',
    path: `${API}/analytics/metrics`,
    key: large,
    body: '{}',
    status: 200,
  }),
  by('200 of its sites', requests(`GET ${API}/sites?limit=200`, bearer(large), 500)),
  by('200 of its events', requests(`GET ${API}/events?limit=200`, bearer(large), 500)),
  by('200 of the largest events', requests(`GET ${API}/events?limit=200`, bearer(other), 500)),
  by('1,000 idle connections', { kind: 'idle' }, 1_000),
];

/** As large as the limit and the rules for an event allow. */
function largestTelemetry(): string {
  const event = (fields: number) => ({
    type: 'malware_found',
    severity: 'high',
    message: 'm'.repeat(1_000),
    metadata: Object.fromEntries(Array.from({ length: fields }, (_, index) => [`k${index}`, index])),
  });
  const body = (fields: number) =>
    JSON.stringify({ domain: 'shop.test', events: Array(EVENTS_PER_REQUEST).fill(event(fields)) });
  let fields = 1;
  while (body(fields + 1).length <= TELEMETRY_BYTES) fields++;
  return body(fields);
}

/** test/bench/privacy.bench.ts finds the slowest of the adversarial bodies. */
function hardSignal(): string {
  const [, bodyOf] = ADVERSARIAL.find(([name]) => name === 'IBAN beginnings') ?? [];
  if (bodyOf === undefined) throw new Error('there is no such body');
  return JSON.stringify(bodyOf(SIGNAL_BYTES));
}
