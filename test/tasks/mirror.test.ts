import { afterEach, beforeEach, expect, test } from 'bun:test';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { nameHash } from '../../src/domain/vulnerability/ecosystem.ts';
import { MINUTE_MS } from '../../src/lib/clock.ts';
import { createLog } from '../../src/lib/log.ts';
import { buildSnapshot } from '../../src/storage/mirror/build-snapshot.ts';
import { openKeptSnapshot, type Snapshot } from '../../src/storage/mirror/open-snapshot.ts';
import { type SnapshotId, snapshotPath, writtenAt } from '../../src/storage/mirror/snapshot-files.ts';
import type { ExploitationAssertion } from '../../src/storage/vulnerabilities/assertions.ts';
import type { MirrorState } from '../../src/storage/vulnerabilities/mirror-state.ts';
import { type Mirror, startMirror } from '../../src/tasks/mirror.ts';
import { osvRecord, read } from '../support/feeds.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const LEFT_PAD = nameHash('npm', 'left-pad');

let directory: string;
let generation: number;
let state: MirrorState;
let assertions: ReadonlyMap<string, ExploitationAssertion>;
let opened: Snapshot[];
let closed: string[];
let lines: string[];
/** Tasks scheduled for later, with their delays. */
let later: Map<() => void, number>;
let mirror: Mirror;
/** Pending in tests that need a slow load. */
let reading: Promise<void>;

beforeEach(() => {
  directory = temporaryDirectory();
  [generation, state, assertions, reading] = [1, { current: null, kept: [] }, new Map(), Promise.resolve()];
  [opened, closed, lines, later] = [[], [], [], new Map()];
  mirror = startMirror({
    log: createLog({ level: 'info', json: true, write: (text) => lines.push(text) }),
    after(delayMs, task) {
      later.set(task, delayMs);
      return () => later.delete(task);
    },
    generation: () => generation,
    async readState() {
      await reading;
      return state;
    },
    readAssertions: async () => assertions,
    async open(id) {
      const snapshot = await openKeptSnapshot(directory, id);
      const watched = {
        ...snapshot,
        close() {
          if (!closed.includes(id)) snapshot.close();
          closed.push(id);
        },
      };
      opened.push(watched);
      return watched;
    },
    writtenAt: (id) => writtenAt(snapshotPath(directory, id)),
  });
});
afterEach(() => mirror.stop());

async function build(id: string): Promise<SnapshotId> {
  const { facts, summary } = await read(osvRecord({ id, aliases: [] }));
  const snapshot = await buildSnapshot({
    directory,
    base: null,
    nowMs: 7,
    read: async (builder) => {
      builder.put(facts);
      builder.endFile(summary);
    },
  });
  return snapshot.keep();
}

/** Selects another snapshot, as an import does. */
function use(current: SnapshotId | null): void {
  generation += 1;
  state = { current, kept: current === null ? [] : [{ id: current, importedAt: generation }] };
}

const named = async () => {
  const found = await mirror.current();
  const [records] = found?.data.recordsOf(LEFT_PAD) ?? [];
  return records && found?.data.get(records.vulnerability).id;
};
/** Runs every scheduled task and returns the delays. */
function letTimePass(): number[] {
  const waited = [...later.values()];
  for (const task of later.keys()) task();
  later.clear();
  return waited;
}

test('without an import there is no data and no error', async () => {
  expect(await mirror.current()).toBeUndefined();
  expect([mirror.isBroken, lines, opened]).toEqual([false, [], []]);
});

test('the next query uses a new import, and the previous data stays open for a minute', async () => {
  const [first, second] = [await build('X-1'), await build('X-2')];
  use(first);
  const before = await mirror.current();
  expect(before).toMatchObject({ snapshotId: first, importedAt: 2, sources: [{ name: 'osv:npm' }] });
  use(second);
  expect(await named()).toBe('X-2');
  expect(before?.data.recordsOf(LEFT_PAD)).toHaveLength(1);
  expect(closed).toEqual([]);
  expect(letTimePass()).toEqual([MINUTE_MS]);
  expect(closed).toEqual([first]);
  expect(() => before?.data.recordsOf('asked for the first time')).toThrow();
  expect(await named()).toBe('X-2');
});

test('unchanged data is opened once and returned from memory', async () => {
  use(await build('X-1'));
  const [one, other] = await Promise.all([mirror.current(), mirror.current(), named()]);
  expect(one).toBe(other as never);
  expect(mirror.current()).toBe(one as never);
  expect(opened).toHaveLength(1);
});

test('of several imports during a switch the last one is used, and no other stays open', async () => {
  const ids = [await build('X-1'), await build('X-2'), await build('X-3')];
  const { promise, resolve } = Promise.withResolvers<void>();
  reading = promise;
  const asked = ids.map((id) => {
    use(id);
    return mirror.current();
  });
  resolve();
  await Promise.all(asked);
  expect(await named()).toBe('X-3');
  letTimePass();
  expect(opened.length - closed.length).toBe(1);
  expect(closed).not.toContain(ids[2] as string);
});

test('a new assertion takes effect without opening the data again', async () => {
  use(await build('X-1'));
  const before = await mirror.current();
  assertions = new Map([['X-1', { exploitation: 'active', reason: 'seen', assertedAt: 1, since: 1 }]]);
  generation += 1;
  const after = await mirror.current();
  expect([before?.assertions.size, after?.assertions.get('X-1')?.exploitation]).toEqual([0, 'active']);
  expect([opened.length, later.size]).toEqual([1, 0]);
});

test('data that cannot be opened is logged once, and no data is available until the next import', async () => {
  const [first, lost, third] = [await build('X-1'), await build('X-2'), await build('X-3')];
  use(first);
  await mirror.current();
  rmSync(snapshotPath(directory, lost));
  use(lost);
  expect([await mirror.current(), await mirror.current(), mirror.isBroken]).toEqual([
    undefined,
    undefined,
    true,
  ]);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('vulnerability data cannot be read');
  letTimePass();
  expect(closed).toEqual([first]);
  use(third);
  expect([await named(), mirror.isBroken]).toEqual(['X-3', false]);
  use(null);
  expect([await mirror.current(), mirror.isBroken, lines.length]).toEqual([undefined, false, 1]);
});

/** Overwrites bytes of a snapshot. */
function overwrite(id: SnapshotId, words: string, others: string): void {
  const path = snapshotPath(directory, id);
  const bytes = readFileSync(path);
  const at = bytes.indexOf(words);
  expect([at > 0, words.length]).toEqual([true, others.length]);
  bytes.write(others, at);
  writeFileSync(path, bytes);
}

test('data modified while in use is rejected until it is intact again or replaced', async () => {
  const id = await build('X-1');
  const whole = readFileSync(snapshotPath(directory, id));
  use(id);
  await mirror.current();
  overwrite(id, '"fixed":"', '"fixes":"');
  expect([await mirror.current(), mirror.isBroken, lines.length]).toEqual([undefined, true, 1]);
  expect(lines[0]).toContain('was changed');
  assertions = new Map([['X-1', { exploitation: 'active', reason: 'seen', assertedAt: 1, since: 1 }]]);
  generation += 1;
  expect([await mirror.current(), mirror.isBroken, lines.length]).toEqual([undefined, true, 1]);

  use(await build('X-2'));
  expect([await named(), mirror.isBroken]).toEqual(['X-2', false]);
  writeFileSync(snapshotPath(directory, id), whole);
  use(id);
  expect([await named(), mirror.isBroken, lines.length]).toEqual(['X-1', false, 1]);
});

test('data with a new modification time, or removed from disk, stays in use', async () => {
  const id = await build('X-1');
  use(id);
  await mirror.current();
  writeFileSync(snapshotPath(directory, id), readFileSync(snapshotPath(directory, id)));
  expect([await named(), mirror.isBroken]).toEqual(['X-1', false]);
  rmSync(snapshotPath(directory, id));
  expect([await named(), mirror.isBroken, lines]).toEqual(['X-1', false, []]);
});

test('data that becomes unreadable refuses every query, is logged once, and is not read again', async () => {
  use(await build('X-1'));
  const found = await mirror.current();
  const [inUse] = opened;
  inUse?.close();
  const refusal = { refused: 'MIRROR_EMPTY', retryAfterSeconds: 3_600 };
  const thrown = (ask: () => unknown) => {
    try {
      return ask();
    } catch (error) {
      return error;
    }
  };
  expect(thrown(() => found?.data.recordsOf(LEFT_PAD))).toMatchObject(refusal);
  expect(thrown(() => found?.data.get(1))).toMatchObject(refusal);
  expect(thrown(() => found?.data.find('X-1'))).toMatchObject(refusal);
  expect(thrown(() => found?.data.affectedBy(1, 1))).toMatchObject(refusal);
  expect([await mirror.current(), mirror.isBroken, lines.length]).toEqual([undefined, true, 1]);
  expect(await mirror.ask(async () => 1)).toBeUndefined();
  opened = [];
});

test('an optional query returns nothing for damaged data, and its own errors are passed on', async () => {
  expect(await mirror.ask(async () => 1)).toBeUndefined();
  use(await build('X-1'));
  expect(await mirror.ask(async ({ snapshotId }) => snapshotId)).toBe(state.current as string);
  await expect(mirror.ask(() => Promise.reject(new Error('other')))).rejects.toThrow('other');
  const asked = mirror.ask(async ({ data }) => {
    opened[0]?.close();
    return data.recordsOf(LEFT_PAD);
  });
  expect([await asked, mirror.isBroken]).toEqual([undefined, true]);
});

test('a failed read of the current state is repeated with the next query', async () => {
  use(await build('X-1'));
  reading = Promise.reject(new Error('busy'));
  await expect(Promise.resolve(mirror.current())).rejects.toThrow('busy');
  reading = Promise.resolve();
  expect(await named()).toBe('X-1');
});

test('stopping closes the current data, the previous data, and data about to be opened', async () => {
  const [first, second, third] = [await build('X-1'), await build('X-2'), await build('X-3')];
  use(first);
  await mirror.current();
  use(second);
  await mirror.current();
  const { promise, resolve } = Promise.withResolvers<void>();
  reading = promise;
  use(third);
  const coming = mirror.current();
  mirror.stop();
  expect(closed.toSorted()).toEqual([first, second].toSorted());
  expect(later.size).toBe(0);
  resolve();
  expect(await coming).toBeUndefined();
  mirror.stop();
  expect(closed.length).toBe(opened.length);
});
