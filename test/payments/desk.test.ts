import { afterEach, beforeEach, expect, test } from 'bun:test';
import { MINUTE_MS, systemClock } from '../../src/lib/clock.ts';
import { silentLog } from '../../src/lib/log.ts';
import { type PaymentDesk, startPaymentDesk } from '../../src/payments/desk.ts';
import { ALONE } from '../../src/storage/engine/clock-work.ts';
import { until } from '../support/service.ts';

const MINUTES = 5 * MINUTE_MS;

let desk: PaymentDesk;
let turns: number;
/** The delays that the turns of the settlement return; then nothing is pending. */
let delays: number[];
let inATurn: () => void;
/** Resolves when all work that is due now is done. */
const rested = () => new Promise((resolve) => setTimeout(resolve, 0));

beforeEach(async () => {
  delays = [];
  inATurn = () => {};
  desk = startPaymentDesk({
    settlement: {
      async settle() {
        turns += 1;
        inATurn();
        const dueInMs = delays.shift();
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

test('continues while work is due, and rests when nothing is pending', async () => {
  delays = [-1, 0, -1];
  desk.wake();
  await rested();
  expect(turns).toBe(4);
});

test('resumes automatically when postponed work is due', async () => {
  delays = [30];
  desk.wake();
  await rested();
  expect(turns).toBe(1);
  await until(() => turns === 2);
});

test('settles a new event immediately while another is postponed for minutes', async () => {
  delays = [MINUTES, MINUTES];
  desk.wake();
  await rested();
  desk.wake();
  await rested();
  expect(turns).toBe(2);
});

test('settles an event that arrives during a turn in the next one', async () => {
  delays = [MINUTES, MINUTES, MINUTES];
  inATurn = () => turns === 1 && desk.wake();
  desk.wake();
  await rested();
  expect(turns).toBe(2);
});

test('rests once it is stopped, with any work due', async () => {
  delays = Array<number>(9).fill(0);
  inATurn = () => turns === 3 && desk.stop();
  desk.wake();
  await rested();
  expect(turns).toBe(3);
});
