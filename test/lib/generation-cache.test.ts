import { describe, expect, test } from 'bun:test';
import { GenerationCache, GenerationMap } from '../../src/lib/generation-cache.ts';

describe('a value by generation', () => {
  /** A cache with loads that the test completes. */
  function cacheByHand() {
    const state = { generation: 1 };
    const loads: PromiseWithResolvers<string>[] = [];
    const cache = new GenerationCache(
      () => state.generation,
      () => {
        const load = Promise.withResolvers<string>();
        loads.push(load);
        return load.promise;
      },
    );
    return { state, loads, cache };
  }

  test('is loaded once for concurrent callers, and again only after a change', async () => {
    const { state, loads, cache } = cacheByHand();
    const both = Promise.all([cache.get(), cache.get()]);
    loads[0]?.resolve('one');
    expect(await both).toEqual(['one', 'one']);
    expect([cache.get(), loads.length]).toEqual(['one', 1]);
    state.generation = 2;
    const next = cache.get();
    loads[1]?.resolve('two');
    expect([await next, cache.get(), loads.length]).toEqual(['two', 'two', 2]);
  });

  test('is never older than a change before the call, also when the older load ends last', async () => {
    const { state, loads, cache } = cacheByHand();
    const before = cache.get();
    state.generation = 2;
    const after = cache.get();
    loads[1]?.resolve('new');
    expect(await after).toBe('new');
    loads[0]?.resolve('old');
    expect(await before).toBe('old');
    expect([cache.get(), loads.length]).toEqual(['new', 2]);
  });

  test('is loaded again after a load that failed', async () => {
    const { loads, cache } = cacheByHand();
    const failing = cache.get();
    loads[0]?.reject(new Error('disk'));
    await expect(failing).rejects.toThrow('disk');
    const next = cache.get();
    loads[1]?.resolve('back');
    expect(await next).toBe('back');
  });
});

describe('values by key and generation', () => {
  function map(keysMax = 10) {
    const state = { generation: 1, found: new Map<string, object>(), finds: 0 };
    const values = new GenerationMap(
      () => state.generation,
      async (key: string) => {
        state.finds += 1;
        return state.found.get(key);
      },
      keysMax,
    );
    return { state, values };
  }

  test('are loaded once, and again after any change', async () => {
    const { state, values } = map();
    state.found.set('a', { worth: 1 });
    expect([await values.get('a'), values.get('a'), state.finds]).toEqual([{ worth: 1 }, { worth: 1 }, 1]);
    state.found.set('a', { worth: 2 });
    state.generation = 2;
    expect([await values.get('a'), state.finds]).toEqual([{ worth: 2 }, 2]);
    state.found.delete('a');
    state.generation = 3;
    expect(await values.get('a')).toBeUndefined();
  });

  test('loaded across a change are not cached after it', async () => {
    const { state, values } = map();
    state.found.set('a', { worth: 1 });
    const before = values.get('a');
    state.found.set('a', { worth: 2 });
    state.generation = 2;
    const after = values.get('a');
    expect([await before, await after, values.get('a')]).toEqual([{ worth: 1 }, { worth: 2 }, { worth: 2 }]);
  });

  test('that are absent are not cached: guesses use no memory', async () => {
    const { state, values } = map();
    expect(await values.get('a')).toBeUndefined();
    state.found.set('a', {});
    expect(await values.get('a')).toEqual({});
  });

  test('stay within their number of keys', async () => {
    const { state, values } = map(3);
    for (const key of ['a', 'b', 'c', 'd']) state.found.set(key, { key });
    for (const key of ['a', 'b', 'c']) await values.get(key);
    expect([state.finds, values.get('a'), state.finds]).toEqual([3, { key: 'a' }, 3]);
    await values.get('d');
    await values.get('a');
    expect(state.finds).toBe(5);
  });
});
