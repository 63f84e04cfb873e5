import { afterEach, beforeEach, expect, test } from 'bun:test';
import fc from 'fast-check';
import { prepareBatches, prepareChanges } from '../../../src/storage/changes.ts';
import { type Database, disconnect } from '../../../src/storage/engine/database.ts';
import { execute, prepare } from '../../../src/storage/engine/statement.ts';
import {
  type MirrorState,
  type MirrorSwitch,
  readMirrorState,
  snapshotsBefore,
  withImported,
} from '../../../src/storage/vulnerabilities/mirror-state.ts';
import { engineOf } from '../../support/engines.ts';

const engine = engineOf(import.meta);

let db: Database;
let elsewhere: Database;
beforeEach(async () => {
  db = await engine.open();
  elsewhere = await engine.openBeside(db);
});
afterEach(async () => {
  await disconnect(db);
  await disconnect(elsewhere);
});

const stateOf = ({ current, kept }: MirrorState) => ({ current, kept: kept.map(({ id }) => id) });
const read = () => readMirrorState(db)();
/** The plan of an import, with its id as its moment. */
const importing = (state: MirrorState, id: string): MirrorSwitch => ({
  from: state.current,
  current: id,
  kept: withImported(state, { id, importedAt: id.charCodeAt(0) }),
});
const beforeInUse = (state: MirrorState) => snapshotsBefore(state)[0]?.id;
const entries = () => prepare<{ action: string }>(db, 'select action from audit_log').all();

test('a new database uses no snapshot and retains none', async () => {
  expect(await read()).toEqual({ current: null, kept: [] });
  expect(beforeInUse(await read())).toBeUndefined();
});

test('of two concurrent imports, the later one is refused and leaves nothing', async () => {
  const planned = await read();
  const change = (on: Database, id: string) =>
    prepareChanges(on)(async (run) => {
      await run({
        name: 'audit',
        input: { at: 1, actor: 'cli:alice', action: `import.${id}`, subject: null },
      });
      await run({ name: 'switchMirror', input: importing(planned, id) });
    });
  await change(db, 'a');
  await expect(change(elsewhere, 'b')).rejects.toThrow('Run this again');
  expect(await read()).toEqual({ current: 'a', kept: [{ id: 'a', importedAt: 97 }] });
  expect(await entries()).toEqual([{ action: 'import.a' }]);

  const again = await read();
  await prepareChanges(elsewhere)(async (run) => run({ name: 'switchMirror', input: importing(again, 'b') }));
  expect(stateOf(await read())).toEqual({ current: 'b', kept: ['b', 'a'] });
});

test('a refused switch gives its reason, and changes nothing else', async () => {
  const wrong = { from: 'x', current: 'y', kept: [] };
  const [refused, audited] = await prepareBatches(db)([
    { name: 'switchMirror', input: wrong },
    { name: 'audit', input: { at: 1, actor: 'system', action: 'other', subject: null } },
  ]);
  expect(refused).toEqual({ fault: expect.stringContaining('nothing was changed') });
  expect(audited).not.toHaveProperty('fault');
  expect(await read()).toEqual({ current: null, kept: [] });
});

test('after any imports and rollbacks, a rollback returns to the previous snapshot, and three are retained', async () => {
  const steps = fc.array(fc.constantFrom('rollback', 'a', 'b', 'c', 'd', 'e'), { maxLength: 20 });
  const apply = prepareChanges(db);
  const take = (input: MirrorSwitch) => apply(async (run) => run({ name: 'switchMirror', input }));
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      await execute(db, 'delete from mirror');
      const rolledBackFrom = new Set<string | null>();
      for (const step of taken) {
        const before = await read();
        const isRollback = step === 'rollback';
        const current = isRollback ? beforeInUse(before) : step;
        if (current === undefined) continue;
        if (isRollback) rolledBackFrom.add(before.current);
        else rolledBackFrom.delete(current);
        await take(isRollback ? { ...before, from: before.current, current } : importing(before, current));

        const after = await read();
        const ids = after.kept.map(({ id }) => id);
        expect([after.current, new Set(ids).size]).toEqual([current, ids.length]);
        expect(ids.length).toBeLessThanOrEqual(3);
        expect(ids).toContain(current);
        expect(rolledBackFrom.has(beforeInUse(after) ?? '')).toBe(false);
        if (isRollback) expect(after.kept).toEqual(before.kept);
        else expect(ids[0]).toBe(current);
        if (!isRollback && before.current !== null && current !== before.current)
          expect(beforeInUse(after)).toBe(before.current);
      }
    }),
    { numRuns: engine.runs(50) },
  );
});

test('an import sets the number of retained snapshots, and the oldest are removed', () => {
  const kept = ['c', 'b', 'a'].map((id) => ({ id, importedAt: id.charCodeAt(0) }));
  const imported = { id: 'd', importedAt: 100 };
  const ids = (keptMax?: number) =>
    withImported({ current: 'c', kept }, imported, false, keptMax).map(({ id }) => id);
  expect([ids(), ids(1), ids(9)]).toEqual([['d', 'c', 'b'], ['d'], ['d', 'c', 'b', 'a']]);
});

test('a snapshot equal to the current one replaces it, and no other', () => {
  const kept = ['d', 'c', 'b'].map((id) => ({ id, importedAt: 1 }));
  const replacing = (current: string) =>
    withImported({ current, kept }, { id: 'e', importedAt: 2 }, true).map(({ id }) => id);
  expect([replacing('d'), replacing('c')]).toEqual([
    ['e', 'c', 'b'],
    ['e', 'b'],
  ]);
});
