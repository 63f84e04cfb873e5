import { expect, test } from 'bun:test';
import { disconnect } from '../../../src/storage/engine/database.ts';
import { prepareJobs } from '../../../src/storage/jobs.ts';
import {
  type ExploitationAssertion,
  readAssertions,
} from '../../../src/storage/vulnerabilities/assertions.ts';
import { engineOf } from '../../support/engines.ts';

const engine = engineOf(import.meta);

test('the newest assertion for each name is valid until it is withdrawn', async () => {
  const db = await engine.open();
  const { assertExploitation, withdrawAssertion } = prepareJobs(db);
  const read = readAssertions(db);
  const now = async () => Object.fromEntries(await read());
  expect(await now()).toEqual({});

  await assertExploitation({ name: 'CVE-2026-1', exploitation: 'poc', reason: 'a blog', now: 1 });
  await assertExploitation({ name: 'cve-2026-1', exploitation: 'none', reason: 'another name', now: 2 });
  await assertExploitation({ name: 'CVE-2026-1', exploitation: 'active', reason: 'our logs', now: 3 });
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
  expect([await withdraw(), await withdraw()]).toEqual([true, false]);
  expect(await now()).toEqual({ 'cve-2026-1': other });
  await disconnect(db);
});

test('a repeated assertion with another reason is valid since the first', async () => {
  const db = await engine.open();
  const { assertExploitation } = prepareJobs(db);
  const since: (number | undefined)[] = [];
  for (const [at, exploitation] of (['active', 'active', 'none', 'active'] as const).entries()) {
    await assertExploitation({ name: 'CVE-2026-1', exploitation, reason: `reason ${at}`, now: at + 1 });
    since.push((await readAssertions(db)()).get('CVE-2026-1')?.since);
  }
  expect(since).toEqual([1, 1, 3, 4]);
  await disconnect(db);
});
