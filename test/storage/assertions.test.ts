import { expect, test } from 'bun:test';
import { type ExploitationAssertion, readAssertions } from '../../src/storage/assertions.ts';
import { connect } from '../../src/storage/engine/database.ts';
import { prepareJobs } from '../../src/storage/engine/jobs.ts';
import { newDatabase } from '../support/database.ts';

test('of each name the newest assertion holds, until it is withdrawn', async () => {
  const db = connect(newDatabase());
  const { assertExploitation, withdrawAssertion } = prepareJobs(db);
  const read = readAssertions(db);
  const now = async () => Object.fromEntries(await read());
  expect(await now()).toEqual({});

  assertExploitation({ name: 'CVE-2026-1', exploitation: 'poc', reason: 'a blog', now: 1 });
  assertExploitation({ name: 'cve-2026-1', exploitation: 'none', reason: 'another name', now: 2 });
  assertExploitation({ name: 'CVE-2026-1', exploitation: 'active', reason: 'our logs', now: 3 });
  const other: ExploitationAssertion = {
    exploitation: 'none',
    reason: 'another name',
    assertedAt: 2,
    since: 2,
  };
  expect(await now()).toEqual({
    'CVE-2026-1': { exploitation: 'active', reason: 'our logs', assertedAt: 3, since: 3 },
    'cve-2026-1': other,
  });

  const withdraw = () => withdrawAssertion({ name: 'CVE-2026-1' });
  expect([withdraw(), withdraw()]).toEqual([true, false]);
  expect(await now()).toEqual({ 'cve-2026-1': other });
  db.$client.close();
});

test('the same assertion, said again for another reason, holds since it was said first', async () => {
  const db = connect(newDatabase());
  const { assertExploitation } = prepareJobs(db);
  const since: (number | undefined)[] = [];
  for (const [at, exploitation] of (['active', 'active', 'none', 'active'] as const).entries()) {
    assertExploitation({ name: 'CVE-2026-1', exploitation, reason: `reason ${at}`, now: at + 1 });
    since.push((await readAssertions(db)()).get('CVE-2026-1')?.since);
  }
  expect(since).toEqual([1, 1, 3, 4]);
  db.$client.close();
});
