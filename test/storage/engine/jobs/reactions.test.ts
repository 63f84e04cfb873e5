import { expect, test } from 'bun:test';
import type { Database } from '../../../../src/storage/engine/database.ts';
import { reactionPoint } from '../../../../src/storage/engine/jobs/reactions.ts';

test('subjects react to a change one after another, each with the database of the change', async () => {
  const released = reactionPoint<string>();
  const [one, other] = [{} as Database, {} as Database];
  const seen: string[] = [];
  const first = released.with(() => async (domain) => {
    await Promise.resolve();
    seen.push(`first ${domain}`);
  });
  const second = released.with((db) => async (domain) => {
    seen.push(`second ${domain} ${db === one}`);
  });
  for (const prepare of [first, second]) prepare(one);
  second(other);
  await released.of(one)('a.example');
  await released.of(other)('b.example');
  expect(seen).toEqual(['first a.example', 'second a.example true', 'second b.example false']);
});

test('a change without prepared reactions fails, so that a missing one is noticed', async () => {
  const released = reactionPoint<string>();
  expect(released.of({} as Database)('a.example')).rejects.toThrow(/before its reactions/);
});
