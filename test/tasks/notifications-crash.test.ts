import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { disconnect } from '../../src/storage/engine/database.ts';
import { connect } from '../../src/storage/engine/sqlite/database.ts';
import { readTargets } from '../../src/storage/notifications/targets.ts';
import { newDatabase } from '../support/database.ts';
import { addEvents, addTarget } from '../support/notifications.ts';

const PROCESS = new URL('../support/notification-process.ts', import.meta.url).pathname;
const EVENTS = 250;

let server: Server;
/** How often each event arrived, by its number. */
let arrived: Map<number, number>;
let onEvent: (count: number) => void | Promise<void>;
beforeAll(async () => {
  server = createServer(async (request, response) => {
    const number = Number(await text(request));
    arrived.set(number, (arrived.get(number) ?? 0) + 1);
    await onEvent([...arrived.values()].reduce((sum, count) => sum + count, 0));
    response.writeHead(204).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => server.close());

const start = (path: string): ChildProcess =>
  spawn(process.execPath, [PROCESS, path, `http://127.0.0.1:${(server.address() as AddressInfo).port}/`], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });

/** When SIGKILL comes: after this number of events, before the answer or a little after it. */
const POINTS = [
  [1, 'before'],
  [2, 'after'],
  [57, 'before'],
  [100, 'before'],
  [100, 'after'],
  [101, 'before'],
  [199, 'after'],
  [EVENTS, 'before'],
  [EVENTS, 'after'],
] as const;

test.each(POINTS)(
  'SIGKILL at the event %d, %s its answer, loses none, and none arrives more than twice',
  async (at, when) => {
    const path = newDatabase();
    const db = connect(path);
    const id = await addTarget(db, 'hook');
    await addEvents(db, { count: EVENTS, severity: 'info', now: Date.now() });
    arrived = new Map();
    const first = start(path);
    const killed = once(first, 'exit');
    onEvent = async (count) => {
      if (count !== at) return;
      if (when === 'before') first.kill('SIGKILL');
      else setTimeout(() => first.kill('SIGKILL'), at % 7);
    };
    await killed;

    onEvent = () => {};
    const second = start(path);
    try {
      while (((await readTargets(db).findById(id))?.waiting ?? 0) > 0)
        await new Promise((resolve) => setTimeout(resolve, 10));
    } finally {
      second.kill('SIGKILL');
      await once(second, 'exit');
    }
    expect([...arrived.keys()].toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: EVENTS }, (_, number) => number),
    );
    expect(Math.max(...arrived.values())).toBeLessThanOrEqual(2);
    await disconnect(db);
  },
  60_000,
);
