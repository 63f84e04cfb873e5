import { equal, ok } from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { EVENTS_PER_REQUEST, FEED_ENTRIES, requestsTo, telemetryBody } from './bodies.ts';
import { CONNECTIONS, type Measured, type Request } from './load.ts';
import type { Answers, Service } from './subjects.ts';

// A measurement counts only with correct answers.

const EACH_CLIENT = 4;

/** Sends each request once, and telemetry from many clients at once. */
export async function expectRightAnswers(service: Service): Promise<Answers> {
  const { verify, telemetry, feed, feedGzip, feedKnown } = requestsTo(service);
  const verified = await expectStatus(200, verify);
  equal(JSON.parse(verified.toString()).valid, true);

  await expectStatus(304, feedKnown);
  const identity = await expectStatus(200, feed);
  equal(JSON.parse(identity.toString()).data.entries.length, FEED_ENTRIES);
  const gzip = await expectStatus(200, feedGzip);
  equal(identity.compare(Bun.gunzipSync(new Uint8Array(gzip))), 0);

  const before = storedEvents(service);
  const clients = Array.from({ length: CONNECTIONS }, async (_, client) => {
    let acknowledged = 0;
    for (let sent = 0; sent < EACH_CLIENT; sent++) {
      const body = JSON.stringify(telemetryBody(`client${client}-${sent}`));
      const receipt = await expectStatus(200, { ...telemetry, body });
      acknowledged += JSON.parse(receipt.toString()).data.events_accepted;
    }
    return acknowledged;
  });
  const acknowledged = (await Promise.all(clients)).reduce((sum, each) => sum + each);
  equal(acknowledged, CONNECTIONS * EACH_CLIENT * EVENTS_PER_REQUEST);
  equal(storedEvents(service) - before, acknowledged);
  const headers = {
    verified: await headersOf(200, verify),
    notModified: await headersOf(304, feedKnown),
  };
  return { verified, identity, gzip, headers };
}

/** Expects all acknowledged events of a load of telemetry on disk, and otherwise only those in flight at its end. */
export async function storing(service: Service, send: () => Promise<Measured>): Promise<Measured> {
  const before = storedEvents(service);
  const measured = await send();
  const beyond = storedEvents(service) - before - measured.requests * EVENTS_PER_REQUEST;
  ok(beyond >= 0 && beyond <= CONNECTIONS * EVENTS_PER_REQUEST, `${beyond} events beyond the acknowledged`);
  return measured;
}

async function expectStatus(status: number, request: Request): Promise<Buffer> {
  return Buffer.from(await (await answerOf(status, request)).arrayBuffer());
}

/** The headers that a server sets itself; the runtime adds the others. */
async function headersOf(status: number, request: Request): Promise<Record<string, string>> {
  const { headers } = await answerOf(status, request);
  for (const name of ['date', 'content-length', 'connection']) headers.delete(name);
  return Object.fromEntries(headers);
}

async function answerOf(status: number, { url, headers, body }: Request): Promise<Response> {
  const response = await fetch(url, {
    headers: { 'accept-encoding': 'identity', ...headers },
    decompress: false,
    ...(body === undefined ? {} : { method: 'POST', body }),
  });
  equal(response.status, status);
  return response;
}

function storedEvents({ databasePath }: Service): number {
  const database = new DatabaseSync(databasePath, { readOnly: true });
  try {
    return Number(database.prepare('select count(*) as count from events').get()?.count);
  } finally {
    database.close();
  }
}
