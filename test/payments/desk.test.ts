import { afterEach, beforeEach, expect, test } from 'bun:test';
import { MINUTE_MS, systemClock } from '../../src/lib/clock.ts';
import { silentLog } from '../../src/lib/log.ts';
import { type PaymentDesk, startPaymentDesk } from '../../src/payments/desk.ts';
import { ALONE } from '../../src/storage/engine/clock-work.ts';
import { until } from '../support/service.ts';

const MINUTES = 5 * MINUTE_MS;

let desk: PaymentDesk;
let turns: number;
/** In how many milliseconds something is due, as each turn of the settlement tells; then nothing waits. */
let told: number[];
let inATurn: () => void;
/** Resolves when everything that would be done without waiting has been done. */
const rested = () => new Promise((resolve) => setTimeout(resolve, 0));

beforeEach(async () => {
  told = [];
  inATurn = () => {};
  desk = startPaymentDesk({
    settlement: {
      async settle() {
        turns += 1;
        inATurn();
        const dueInMs = told.shift();
        return dueInMs === undefined ? undefined : systemClock.now() + dueInMs;
      },
      renew: async () => {},
    },
    reconcile: undefined,
    trialCards: { endOverdue: async () => {} },
    clockWork: ALONE,
    clock: systemClock,
    log: silentLog,
  });
  await rested();
  turns = 0;
});
afterEach(() => desk.stop());

test('goes on while something is due, and rests when nothing waits', async () => {
  told = [-1, 0, -1];
  desk.wake();
  await rested();
  expect(turns).toBe(4);
});

test('comes back by itself when what was put off is due', async () => {
  told = [30];
  desk.wake();
  await rested();
  expect(turns).toBe(1);
  await until(() => turns === 2);
});

test('settles a new event at once while another is put off for minutes', async () => {
  told = [MINUTES, MINUTES];
  desk.wake();
  await rested();
  desk.wake();
  await rested();
  expect(turns).toBe(2);
});

test('settles an event that comes in the middle of a turn in the next one', async () => {
  told = [MINUTES, MINUTES, MINUTES];
  inATurn = () => turns === 1 && desk.wake();
  desk.wake();
  await rested();
  expect(turns).toBe(2);
});

test('rests once it is stopped, whatever is due', async () => {
  told = Array<number>(9).fill(0);
  inATurn = () => turns === 3 && desk.stop();
  desk.wake();
  await rested();
  expect(turns).toBe(3);
});
