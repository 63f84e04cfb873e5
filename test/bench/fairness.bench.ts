/**
 * Waiting times of other clients next to one hostile client: `bun test/bench/fairness.bench.ts [NAME]`, with
 * `REDOUBT_EXECUTABLE=PATH` for another build. GET /status every 10 ms during each attack, with the runtime's
 * compiler and without it, as under the unit. No limit per address or key applies, so that each attack
 * continues. In milliseconds; *late* is the longest delay of the measuring process itself. Ends with exit
 * code 1 when a client waited longer than 250 more than that.
 */
import { Worker } from 'node:worker_threads';
import { API } from '../support/client.ts';
import { type RunningService, start } from '../support/service.ts';
import { attacksWith, type NamedAttack } from './attacks.ts';
import { askForStatus, at, COMPILERS, type Waiting } from './beside.ts';
import type { Flood } from './flood.ts';

const SECONDS = 4;
const LEAD_MS = 500;
const WAIT_MS_MAX = 250;

const SITES = 2_000;
const ALERTS_PER_SITE = 50;
const SENDERS = 16;

/** Gives a license the maximum of sites and alerts. */
async function fill({ url }: RunningService, key: string): Promise<void> {
  const events = Array.from({ length: ALERTS_PER_SITE }, (_, subject) => ({
    type: `subject${subject}_found`,
    severity: 'critical',
  }));
  let site = 0;
  const send = async () => {
    while (site < SITES) {
      const answer = await fetch(`${url}${API}/telemetry`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}` },
        body: JSON.stringify({ domain: `site${site++}.test`, events }),
      });
      if (!answer.ok) throw new Error(`telemetry was answered with ${answer.status}`);
      await answer.bytes();
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, send));
}

async function waitingBeside(
  service: RunningService,
  { attack, connections }: NamedAttack,
): Promise<Waiting> {
  const workerData: Flood = { url: service.url, attack, connections, seconds: SECONDS + 1 };
  const flood = new Worker(new URL('./flood.ts', import.meta.url), { workerData });
  const over = new Promise((resolve, reject) => flood.once('exit', resolve).once('error', reject));
  await Bun.sleep(LEAD_MS);
  const waiting = await askForStatus(service, SECONDS);
  await over;
  return waiting;
}

const wanted = process.argv[2] ?? '';
const rows: Record<string, string | number>[] = [];
let longestMs = 0;
for (const [compiler, useJit] of COMPILERS) {
  const service = await start('binary', {
    SERVICE_RATE_KEY_PER_MINUTE: '100000000',
    SERVICE_DAILY_EVENTS: '0',
    SERVICE_DAILY_BYTES: '0',
    SERVICE_RATE_IP_PER_MINUTE: '100000000',
    BUN_JSC_useJIT: useJit,
  });
  const issue = async () => (await service.issue('--plan', 'enterprise', '--test')).key;
  const [large, other] = [await issue(), await issue()];
  await fill(service, large);
  for (const named of attacksWith(large, other)) {
    if (!named.name.includes(wanted)) continue;
    const { times, lateMs } = await waitingBeside(service, named);
    longestMs = Math.max(longestMs, at(times, 1) - lateMs);
    rows.push({
      beside: named.name,
      compiler,
      median: at(times, 0.5),
      p99: at(times, 0.99),
      max: at(times, 1),
      late: lateMs,
    });
  }
  await service.end();
}
console.table(rows);
process.exit(longestMs <= WAIT_MS_MAX ? 0 : 1);
