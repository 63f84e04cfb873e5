import { afterEach, beforeEach, expect, test } from 'bun:test';
import type { DomainControl } from '../../src/domain/domain-control/control.ts';
import { createLog } from '../../src/lib/log.ts';
import type { CheckControl } from '../../src/outside/control-check.ts';
import { ALONE } from '../../src/storage/engine/clock-work.ts';
import type { DueCheck } from '../../src/storage/sites/domain-controls.ts';
import { startControlChecks } from '../../src/tasks/control-checks.ts';

const PROVEN: DomainControl = {
  method: 'dns',
  verifiedAt: 1,
  checkedAt: 1,
  failedSince: null,
  problem: null,
};

let due: DueCheck[];
let found: Awaited<ReturnType<CheckControl>>;
let checked: string[];
let kept: unknown[];
let lines: string[];
let isClockBehind: boolean;
/** The task scheduled for five minutes from now. */
let later: (() => void) | undefined;
let stop: () => void;

const dueOf = (...domains: string[]): DueCheck[] =>
  domains.map((domain) => ({ licenseId: 7, domain, control: PROVEN }));

beforeEach(() => {
  [due, found, checked, kept, lines, isClockBehind] = [[], null, [], [], [], false];
  stop = startControlChecks({
    clock: { now: () => 9_000, monotonic: () => 0 },
    after(_, task) {
      later = task;
      return () => {
        later = undefined;
      };
    },
    log: createLog({ level: 'info', json: true, write: (text) => lines.push(text) }),
    identities: { controlToken: (licenseId, domain) => `${licenseId}:${domain}` },
    clockWork: ALONE,
    writer: {
      write: async (name, input) => {
        kept.push(name === 'putOffControlCheck' ? ['put off', input] : input);
        return undefined as never;
      },
    },
    readDue: async () => due,
    async check({ challenge, method }) {
      checked.push(`${method} ${challenge.token}`);
      await new Promise(setImmediate);
      return found;
    },
    isClockBehind: () => isClockBehind,
  });
});
afterEach(() => stop());

/** Lets five minutes pass and waits for the checks that are then due. */
async function round() {
  const task = later;
  later = undefined;
  task?.();
  while (later === undefined) await new Promise(setImmediate);
}

test('each due proof is checked by its own method, and the result is stored', async () => {
  due = dueOf('a.com', 'b.com');
  found = 'not_found';
  await round();
  expect(checked).toEqual(['dns 7:a.com', 'dns 7:b.com']);
  const result = { method: 'dns', problem: 'not_found', checkedAt: 9_000 };
  expect(kept).toEqual(['a.com', 'b.com'].map((domain) => ({ licenseId: 7, domain, result })));
});

test('a check that this host cannot make is postponed, and every other domain is still checked', async () => {
  due = dueOf(...Array.from({ length: 40 }, (_, at) => `${at}.com`));
  found = 'cut_off';
  await round();
  expect([checked.length, kept.length]).toEqual([40, 40]);
  expect(kept[0]).toEqual(['put off', { licenseId: 7, domain: '0.com', nextAt: 9_000 + 3_600_000 }]);
});

test('no domain is checked while the clock is behind the data', async () => {
  due = dueOf('a.com');
  isClockBehind = true;
  await round();
  expect(checked).toEqual([]);
});

test('a failed round is logged, and the next round runs', async () => {
  const failing = [0];
  due = new Proxy(dueOf('a.com'), {
    get: (list, name) => {
      if (failing.pop() !== undefined) throw new Error('no store');
      return Reflect.get(list, name);
    },
  });
  await round();
  expect(lines.join()).toContain('domain checks could not run');
  await round();
  expect(kept).toHaveLength(1);
});

test('stopping discards the result of a running check and starts no further round', async () => {
  due = dueOf('a.com');
  later?.();
  while (checked.length === 0) await new Promise(setImmediate);
  stop();
  for (let turns = 0; turns < 10; turns++) await new Promise(setImmediate);
  expect([kept, later]).toEqual([[], undefined]);
});
