import { expect, test } from 'bun:test';
import { watchForSetBack } from '../../src/server/clock-check.ts';

const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000];
const NOW = Date.UTC(2026, 10, 22);

/** A clock with a given offset, next to the elapsed time. */
function settable() {
  let [set, passed] = [0, 0];
  return {
    clock: { now: () => NOW + passed + set, monotonic: () => passed },
    pass: (ms: number) => {
      passed += ms;
    },
    set: (ms: number) => {
      set = ms;
    },
  };
}

test('a clock set back by more than an hour at run time is detected, until it is correct again', () => {
  const { clock, pass, set } = settable();
  const isSetBack = watchForSetBack({ newest: 0 }, clock);
  pass(DAY_MS);
  set(-HOUR_MS);
  expect(isSetBack()).toBe(false);
  set(-HOUR_MS - 1);
  expect(isSetBack()).toBe(true);
  set(0);
  expect(isSetBack()).toBe(false);
});

test('a clock that was set forward, and corrected, does not count as set back', () => {
  const { clock, pass, set } = settable();
  const isSetBack = watchForSetBack({ newest: 0 }, clock);
  set(30 * DAY_MS);
  expect(isSetBack()).toBe(false);
  pass(1_000);
  set(0);
  expect(isSetBack()).toBe(false);
});

test('a clock set back before the start is detected by newer data', () => {
  const { clock, pass } = settable();
  const isSetBack = watchForSetBack({ newest: NOW + 20 * HOUR_MS }, clock);
  expect(isSetBack()).toBe(true);
  pass(19 * HOUR_MS);
  expect(isSetBack()).toBe(false);
});
