import { expect, test } from 'bun:test';
import type { Message, Outcome } from '../../src/domain/notification/delivery.ts';
import type { Target } from '../../src/domain/notification/target.ts';
import { testWords } from '../../src/domain/notification/test-delivery.ts';
import { createSendTest } from '../../src/tasks/notification-test.ts';
import { newTarget } from '../support/notifications.ts';

const CLOCK = { now: () => 1_000 };
const target: Target = { ...newTarget('ops'), id: 1, secrets: ['whsec_x'] };
const confirmPageOf = () => 'https://redoubt.example/confirm/tgt_1/token';
const DELIVERED = { outcome: 'delivered', status: 204, latencyMs: 84 } as const;

test('a test is one event of its own type, on the path of deliveries, with the secrets of its target', async () => {
  const seen: [Target, Message][] = [];
  const deliverTo = (to: Target) => async (message: Message) => {
    seen.push([to, message]);
    return DELIVERED;
  };
  expect(await createSendTest({ deliverTo, clock: CLOCK, confirmPageOf })(target)).toEqual(DELIVERED);
  const [[to, message] = []] = seen;
  expect(to).toBe(target);
  expect(message).toMatchObject({
    isPersonalIncluded: false,
    events: [{ type: 'test', at: 1_000, severity: 'info' }],
  });
  expect(message?.events[0].id).toMatch(/^evt_[0-9A-Za-z]{22}$/);
});

test('a recipient who has not agreed is asked to by a link, and where there is none, nothing is sent', async () => {
  const seen: Message[] = [];
  const deliverTo = () => async (message: Message) => {
    seen.push(message);
    return DELIVERED;
  };
  const parts = { deliverTo, clock: CLOCK };
  expect(await createSendTest({ ...parts, confirmPageOf })(target, 5_000)).toEqual(DELIVERED);
  expect(seen[0]?.confirm).toEqual({ link: confirmPageOf(), until: 5_000 });
  const unsent = await createSendTest({ ...parts, confirmPageOf: () => undefined })(target, 5_000);
  expect(testWords(unsent)).toContain('no public address');
  expect(seen).toHaveLength(1);
});

test('at most 8 tests run at once; further ones are refused in words, and possible again afterwards', async () => {
  const waiting: ((outcome: Outcome) => void)[] = [];
  const deliverTo = () => () => new Promise<Outcome>((resolve) => waiting.push(resolve));
  const send = createSendTest({ deliverTo, clock: CLOCK, confirmPageOf });
  const running = Array.from({ length: 8 }, () => send(target));
  expect(testWords(await send(target))).toMatch(/8 tests are already running/);
  for (const end of waiting) end(DELIVERED);
  await Promise.all(running);
  const again = send(target);
  waiting.at(-1)?.(DELIVERED);
  expect(await again).toEqual(DELIVERED);
});

test('a tenant whose receivers hang leaves room for tests of others', async () => {
  const waiting: ((outcome: Outcome) => void)[] = [];
  const deliverTo = () => () => new Promise<Outcome>((resolve) => waiting.push(resolve));
  const send = createSendTest({ deliverTo, clock: CLOCK, confirmPageOf });
  const of = (licenseId: number | null) => send({ ...target, licenseId });
  const running = [of(1), of(1), of(2), of(null), of(null), of(null)];
  for (const licenseId of [1, 1]) expect(testWords(await of(licenseId))).toMatch(/2 tests are already/);
  running.push(of(2), of(3));
  expect(testWords(await of(4))).toMatch(/8 tests are already/);
  for (const end of waiting) end(DELIVERED);
  expect(await Promise.all(running)).toEqual(Array.from({ length: 8 }, () => DELIVERED));
  const again = of(1);
  waiting.at(-1)?.(DELIVERED);
  expect(await again).toEqual(DELIVERED);
});

test.each<[Outcome, string]>([
  [DELIVERED, 'Delivered in 84 ms with status 204.'],
  [{ outcome: 'delivered', status: null, latencyMs: 1_234 }, 'Delivered in 1,234 ms.'],
  [
    {
      outcome: 'failed',
      status: 500,
      latencyMs: 1,
      reason: 'The receiver reports an error. Check its log (500).',
    },
    'Not delivered. The receiver reports an error. Check its log (500).',
  ],
])('%j is reported as %j', (outcome, words) => {
  expect(testWords(outcome)).toBe(words);
});
