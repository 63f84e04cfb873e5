import { expect, test } from 'bun:test';
import { freePort } from '../support/free-port.ts';
import { start } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const STARTS = 3;

test('no request is a fault from the first connection on, while other listeners still open', async () => {
  // Its own process: it is asked while it starts.
  const env = { SERVICE_DATA_DIR: temporaryDirectory(), SERVICE_PORT: String(await freePort()) };
  for (let started = 0; started < STARTS; started += 1) {
    let isOver = false;
    const starting = start('binary', env).finally(() => {
      isOver = true;
    });
    const statuses: number[] = [];
    while (!isOver) {
      const asked = await fetch(`http://127.0.0.1:${env.SERVICE_PORT}/readyz`).catch(() => undefined);
      if (asked) statuses.push(asked.status);
      else await Bun.sleep(1);
    }
    const service = await starting;
    await service.end();
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(service.log()).not.toContain('"level":"error"');
  }
}, 60_000);
