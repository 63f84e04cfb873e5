import { describe, expect, test } from 'bun:test';
import { FreshValues } from '../../src/lib/fresh-values.ts';
import { madeOnce } from '../../src/lib/made-once.ts';
import { escaped } from '../../src/lib/markup.ts';

function values(max = 10) {
  let now = 0;
  const looks: [string, string | undefined][] = [];
  const answers = new Map<string, string | Error | undefined>();
  let gate = Promise.resolve();
  const fresh = new FreshValues<string, string>(
    async (key, before) => {
      looks.push([key, before]);
      const answer = answers.get(key);
      await gate;
      if (answer instanceof Error) throw answer;
      return answer;
    },
    { freshMs: 1_000, max, monotonic: () => now },
  );
  return {
    fresh,
    looks,
    answers,
    pass: (ms: number) => {
      now += ms;
    },
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return resolve;
    },
  };
}

describe('refreshed values', () => {
  test('are returned immediately while they are fresh, and refreshed later with the previous result', async () => {
    const { fresh, looks, answers, pass } = values();
    answers.set('a', 'one');
    expect(await fresh.get('a')).toBe('one');
    pass(999);
    expect(fresh.get('a')).toBe('one');
    answers.set('a', 'two');
    pass(1);
    expect(await fresh.get('a')).toBe('two');
    expect(looks).toEqual([
      ['a', undefined],
      ['a', 'one'],
    ]);
  });

  test('are loaded once for all concurrent callers', async () => {
    const { fresh, looks, answers, hold } = values();
    const release = hold();
    answers.set('a', 'one');
    const asked = [fresh.get('a'), fresh.get('a'), fresh.get('a')];
    release();
    expect(await Promise.all(asked)).toEqual(['one', 'one', 'one']);
    expect(looks.length).toBe(1);
  });

  test('are not cached when absent or after an error', async () => {
    const { fresh, looks, answers, pass } = values();
    expect(await fresh.get('a')).toBeUndefined();
    answers.set('a', new Error('no'));
    await expect(Promise.resolve(fresh.get('a'))).rejects.toThrow('no');
    answers.set('a', 'one');
    expect(await fresh.get('a')).toBe('one');
    answers.delete('a');
    pass(1_000);
    expect(await fresh.get('a')).toBeUndefined();
    answers.set('a', 'two');
    expect(await fresh.get('a')).toBe('two');
    expect(looks.at(-1)).toEqual(['a', undefined]);
  });

  test('are loaded again after a clear, including those being loaded at the time', async () => {
    const { fresh, answers, hold } = values();
    const release = hold();
    answers.set('a', 'before');
    const asked = fresh.get('a');
    fresh.clear();
    answers.set('a', 'after');
    const again = fresh.get('a');
    release();
    expect(await asked).toBe('before');
    expect(await again).toBe('after');
    expect(fresh.get('a')).toBe('after');
  });

  test('are limited in number: the one loaded longest ago is dropped', async () => {
    const { fresh, looks, answers } = values(2);
    for (const key of ['a', 'b', 'c']) answers.set(key, key);
    for (const key of ['a', 'b', 'c']) await fresh.get(key);
    expect(fresh.get('b')).toBe('b');
    expect(fresh.get('c')).toBe('c');
    expect(await fresh.get('a')).toBe('a');
    expect(looks.length).toBe(4);
  });
});

test('a value derived from an object is created once', () => {
  let made = 0;
  const make = madeOnce((_: object) => ++made);
  const [one, other] = [{}, {}];
  expect([make(one), make(one), make(other), make(one)]).toEqual([1, 1, 2, 1]);
});

test('no text escapes from its place in markup', () => {
  expect(escaped(`<a href="x" title='y'>&amp;</a>`)).toBe(
    '&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;&lt;/a&gt;',
  );
});
