import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { type Peer, TurnBudget } from '../../src/lib/turn-budget.ts';

const ONE: Peer = { address: '192.0.2.1', port: 1 };
const OTHER: Peer = { address: '192.0.2.1', port: 2 };

/** A budget with a clock controlled by the test. */
function budgetAt(nowMs = 0) {
  const clock = { nowMs };
  const tasks: (() => void)[] = [];
  const budget = new TurnBudget(
    () => clock.nowMs,
    (task) => tasks.push(task),
  );
  return {
    budget,
    pass: (ms: number) => {
      clock.nowMs += ms;
    },
    /** @returns whether there was work between two turns */
    endTurn: (): boolean => {
      const due = tasks.splice(0);
      for (const task of due) task();
      return due.length > 0;
    },
  };
}

describe('within its time, a turn', () => {
  test('answers every request, in any number', () => {
    const { budget, pass } = budgetAt();
    for (const peer of [ONE, ONE, OTHER, ONE]) {
      expect(budget.placeOf(peer)).toBe('now');
      pass(4);
    }
  });
});

describe('after its time, a turn', () => {
  test('answers the last connection once more, closes it, and postpones all others', () => {
    const { budget, pass } = budgetAt();
    expect(budget.placeOf(ONE)).toBe('now');
    pass(1_000);
    expect(budget.placeOf(OTHER)).toBe('later');
    expect(budget.placeOf(ONE)).toBe('last');
  });

  test('distinguishes connections by address and port', () => {
    const { budget, pass } = budgetAt();
    budget.placeOf(ONE);
    pass(1_000);
    expect(budget.placeOf({ ...ONE, address: '192.0.2.2' })).toBe('later');
  });

  test('gives way to the next, in which no connection had an answer yet', () => {
    const { budget, pass, endTurn } = budgetAt();
    budget.placeOf(ONE);
    pass(1_000);
    endTurn();
    expect(budget.placeOf(ONE)).toBe('now');
  });
});

describe('postponed work', () => {
  test('comes before later arrivals, in its order', async () => {
    const { budget, pass, endTurn } = budgetAt();
    const done: string[] = [];
    budget.placeOf(ONE);
    pass(1_000);
    const put = (name: string, costMs: number) =>
      budget.later(() => {
        done.push(name);
        pass(costMs);
        return name;
      });
    const answers = [put('a', 10), put('b', 100), put('c', 10)];
    endTurn();
    expect(done).toEqual(['a', 'b']);
    expect(budget.placeOf(OTHER)).toBe('later');
    endTurn();
    expect(done).toEqual(['a', 'b', 'c']);
    expect(budget.placeOf(OTHER)).toBe('now');
    expect(await Promise.all(answers)).toEqual(['a', 'b', 'c']);
  });

  test('fails individually', async () => {
    const { budget, pass, endTurn } = budgetAt();
    budget.placeOf(ONE);
    pass(1_000);
    const failing = budget.later(() => Promise.reject(new Error('broken')));
    const working = budget.later(() => 'done');
    endTurn();
    expect(failing).rejects.toThrow('broken');
    expect(await working).toBe('done');
  });

  test('is all done eventually, and then there is no work between turns', () => {
    const requests = fc.array(fc.record({ from: fc.integer({ min: 1, max: 4 }), costMs: fc.nat(60) }));
    fc.assert(
      fc.property(fc.array(requests, { maxLength: 20 }), (turns) => {
        const { budget, pass, endTurn } = budgetAt();
        const [asked, answered]: [number[], number[]] = [[], []];
        for (const arriving of turns) {
          for (const { from, costMs } of arriving) {
            const number = asked.push(from);
            const answer = () => {
              answered.push(number);
              pass(costMs);
            };
            if (budget.placeOf({ ...ONE, port: from }) === 'later') budget.later(answer);
            else answer();
          }
          endTurn();
        }
        let turnsLeft = asked.length + 2;
        while (endTurn()) expect(turnsLeft--).toBeGreaterThan(0);
        expect(answered.toSorted((a, b) => a - b)).toEqual(asked.map((_, index) => index + 1));
      }),
    );
  });
});
