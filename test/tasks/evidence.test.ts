import { afterEach, beforeEach, expect, test } from 'bun:test';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseCheckpoint } from '../../src/domain/evidence/checkpoint.ts';
import { consistencyHolds } from '../../src/domain/evidence/merkle-proofs.ts';
import { isRefusal, refuse } from '../../src/domain/refusal.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../src/lib/clock.ts';
import { openNote, parseVerifierKey, type VerifierKey } from '../../src/lib/signed-note.ts';
import { type Database, disconnect } from '../../src/storage/engine/database.ts';
import type { Jobs } from '../../src/storage/engine/jobs/jobs.ts';
import { execute, prepare } from '../../src/storage/engine/statement.ts';
import { readEvidence } from '../../src/storage/evidence/evidence.ts';
import { evidenceEntries } from '../../src/storage/evidence/evidence-entries.ts';
import { type EvidenceHeads, openEvidenceHeads } from '../../src/storage/evidence/evidence-heads.ts';
import { prepareJobs } from '../../src/storage/jobs.ts';
import {
  createEvidenceDesk,
  type EvidenceDesk,
  keptCheckpoint,
  type SignedLog,
} from '../../src/tasks/evidence.ts';
import { addTwoTenants } from '../support/database.ts';
import { engineOf } from '../support/engines.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const engine = engineOf(import.meta);

const START = Date.UTC(2026, 10, 23);

let db: Database;
let jobs: Jobs;
let reads: ReturnType<typeof readEvidence>;
let directory: string;
let privateKey: KeyObject;
let now: number;
let waited: number[];
let warnings: string[];
let isStoreOpen: boolean;
let desk: EvidenceDesk;

const headsPath = () => join(directory, 'signing', 'evidence.head');
let firstHead = '';
/** Does what a start of the service does. */
function start(heads = openEvidenceHeads(directory, { isOwner: true })): void {
  jobs = prepareJobs(db);
  reads = readEvidence(db);
  desk = createEvidenceDesk({
    clock: { now: () => now },
    after(ms, task) {
      waited.push(ms);
      now += ms;
      task();
      return () => {};
    },
    log: { warn: (message) => warnings.push(message) },
    privateKey,
    heads,
    reads,
    writer: {
      write: async (name, input) =>
        isStoreOpen
          ? // biome-ignore lint/suspicious/noExplicitAny: which job it is, only its caller knows
            (jobs[name] as any)(input)
          : refuse('STORE_UNAVAILABLE', '', 1),
    },
    isAlone: true,
    baseUrl: () => 'https://security.example',
  });
}

beforeEach(async () => {
  db = await engine.open();
  directory = temporaryDirectory();
  privateKey = generateKeyPairSync('ed25519').privateKey;
  [now, waited, warnings, isStoreOpen] = [START, [], [], true];
  await addTwoTenants(db);
  start();
});
afterEach(() => disconnect(db));

/** Reopens the database, as another process would. */
async function restart(heads?: EvidenceHeads): Promise<void> {
  await disconnect(db);
  db = await engine.openBeside(db);
  start(heads);
}

const keep = async (count = 1) => {
  for (let entry = 0; entry < count; entry++)
    await evidenceEntries(db).keepEvidence({
      licenseId: 1,
      type: 'scan',
      at: now,
      siteId: null,
      data: { entry },
    });
};
const signed = async (): Promise<SignedLog> => {
  const outcome = await desk.signed(1);
  if (isRefusal(outcome)) throw new Error(outcome.message);
  return outcome;
};
const stateOf = ({ note, vkey }: SignedLog) => {
  const opened = openNote(Buffer.from(note), parseVerifierKey(vkey) as VerifierKey);
  return parseCheckpoint('text' in opened ? opened.text : '');
};
const typesOf = async () => {
  const log = await reads.current(1);
  return log ? (await reads.entries(log.id, 0, log.size)).map(({ type }) => type) : [];
};

test("a checkpoint covers the whole log and is signed under the log's name", async () => {
  await keep(3);
  const state = stateOf(await signed());
  const { publicId, id } = (await reads.current(1)) ?? { publicId: '', id: 0 };
  expect(state).toEqual({
    origin: `security.example/evidence/${publicId}`,
    size: 3,
    rootHash: await reads.rootOf(id, 3),
  });
});

test('the first request for an empty log adds an entry for the day', async () => {
  expect((await signed()).size).toBe(1);
  expect(await typesOf()).toEqual(['day']);
});

test('a log that has grown gets a new checkpoint at most once a minute', async () => {
  await keep();
  const first = await signed();
  now += MINUTE_MS - 1;
  await keep();
  expect((await signed()).note).toBe(first.note);
  now += 1;
  expect((await signed()).size).toBe(2);
  now += 10 * MINUTE_MS;
  expect((await signed()).size).toBe(2);
});

test('a checkpoint of a new day covers an entry of that day, which proves its age', async () => {
  await keep();
  await signed();
  now += DAY_MS;
  expect((await signed()).size).toBe(2);
  expect(await typesOf()).toEqual(['scan', 'day']);
});

test('an entry that needs a proof is signed immediately, at most once a second', async () => {
  await keep();
  await signed();
  for (let entry = 1; entry < 4; entry++) {
    await keep();
    expect(await desk.covering(1, entry)).toMatchObject({ size: entry + 1 });
  }
  expect(waited).toEqual([SECOND_MS, SECOND_MS, SECOND_MS]);
  expect(await desk.covering(1, 2)).toMatchObject({ size: 4 });
  expect(await desk.covering(1, 4)).toBeUndefined();
  expect(await desk.covering(2, 0)).toBeUndefined();
});

test('every checkpoint is stored, and each is consistent with the next', async () => {
  const states = [];
  for (let at = 0; at < 5; at++) {
    await keep(at + 1);
    states.push(stateOf(await signed()));
    now += MINUTE_MS;
  }
  const { id } = (await reads.current(1)) ?? { id: 0 };
  const kept = await prepare<{ size: number }>(
    db,
    'select size from evidence_checkpoints order by size',
  ).all();
  expect(kept.map(({ size }) => size)).toEqual(states.map((state) => state?.size) as never);
  for (const [at, state] of states.slice(1).entries()) {
    const before = states[at];
    if (!before || !state) throw new Error('a checkpoint could not be read');
    const proof = await reads.consistencyProof(id, before.size, state.size);
    const [first, second] = [before.size, state.size];
    const asked = { first, second, firstRoot: before.rootHash, secondRoot: state.rootHash, proof };
    expect(consistencyHolds(asked)).toBeTrue();
  }
});

test('no checkpoint is returned before it is on disk', async () => {
  await keep();
  isStoreOpen = false;
  expect(await desk.signed(1)).toMatchObject({ refused: 'STORE_UNAVAILABLE' });
  isStoreOpen = true;
  expect((await signed()).size).toBe(1);
});

type Row = Readonly<Record<string, string | number | null>>;
type Backup = ReadonlyMap<string, readonly Row[]>;
/** Parents before children, so that their rows can be inserted. */
const TABLES = ['evidence_logs', 'evidence_entries', 'evidence_nodes', 'evidence_checkpoints'];

/** A backup of the evidence tables, without the file next to the database. */
const backUp = async (): Promise<Backup> => {
  const copy = new Map<string, readonly Row[]>();
  for (const table of TABLES) copy.set(table, await prepare<Row>(db, `select * from ${table}`).all());
  return copy;
};
const putBack = async (backup: Backup) => {
  for (const table of TABLES.toReversed()) await execute(db, `delete from ${table}`);
  for (const [table, rows] of backup) {
    for (const row of rows) {
      const values = Object.values(row);
      const into = `insert into ${table} (${Object.keys(row)}) values (${values.map(() => '?')})`;
      await prepare(db, into).run(...values);
    }
  }
  await restart();
};
const restore = async (backup: Backup) => {
  await putBack(backup);
  await desk.compare();
};

test('restoring an older backup ends the log, and the next log names the lost entries', async () => {
  await keep(2);
  const early = await backUp();
  await keep(3);
  const lost = await signed();
  await restore(early);
  expect(warnings).toHaveLength(1);
  const log = await reads.current(1);
  const [entry] = await reads.entries(log?.id ?? 0, 0, 1);
  expect(log?.number).toBe(2);
  const kept = await reads.rootOf((await reads.ofLicense(1))[0]?.id ?? 0, 2);
  expect(JSON.parse(entry?.entry ?? '')).toMatchObject({
    type: 'restored',
    data: {
      signed: [{ number: 1, size: 5, root_hash: Buffer.from(lost.rootHash).toString('base64url') }],
      kept: { number: 1, size: 2, root_hash: kept.toString('base64url') },
    },
  });
  const state = stateOf(await signed());
  expect(state?.origin).toBe(`${stateOf(lost)?.origin}/2`);
  await desk.compare();
  expect((await reads.current(1))?.number).toBe(2);

  // Restoring it again adds no second history under either signed name.
  await restore(early);
  expect((await reads.current(1))?.number).toBe(3);
});

test('a restored backup that has grown differently since is detected as well', async () => {
  await keep(2);
  const early = await backUp();
  await keep(3);
  await signed();
  await putBack(early);
  await keep(10);
  // Also without a restart: nothing that contradicts a checkpoint is ever signed.
  const state = stateOf(await signed());
  expect([state?.size, (await reads.current(1))?.number]).toEqual([1, 2]);
});

test('a restored backup that contains every signed entry continues the same log', async () => {
  await keep(2);
  await signed();
  const backup = await backUp();
  await restore(backup);
  await keep();
  now += MINUTE_MS;
  expect((await signed()).size).toBe(3);
  expect([(await reads.current(1))?.number, warnings]).toEqual([1, []]);
});

test('a lost signing key is recorded in the log, which the next key signs', async () => {
  await keep();
  const before = await signed();
  privateKey = generateKeyPairSync('ed25519').privateKey;
  await restart();
  const after = await signed();
  expect(after.vkey).not.toBe(before.vkey);
  expect(stateOf(after)?.size).toBe(2);
  expect(await typesOf()).toEqual(['scan', 'key_changed']);
  expect((await signed()).size).toBe(2);
});

test('a signing key lost together with recent entries is recorded in the log that follows', async () => {
  await keep(2);
  await signed();
  const early = await backUp();
  await keep(3);
  now += MINUTE_MS;
  await signed();
  privateKey = generateKeyPairSync('ed25519').privateKey;
  await restore(early);
  await signed();
  expect(await typesOf()).toEqual(['restored', 'key_changed']);
  const [ended] = await reads.ofLicense(1);
  expect(ended && (await keptCheckpoint(reads, ended))).toMatchObject({ size: 2 });
});

test('failed requests for a checkpoint add no further entries', async () => {
  await keep();
  await signed();
  privateKey = generateKeyPairSync('ed25519').privateKey;
  const heads = openEvidenceHeads(directory, { isOwner: true });
  await restart({ ...heads, note: () => Promise.reject(new Error('no room')) });
  for (let times = 0; times < 3; times++) expect(isRefusal(await desk.signed(1))).toBeTrue();
  expect(await typesOf()).toEqual(['scan', 'key_changed']);
});

test.each([
  ['is damaged', () => writeFileSync(headsPath(), 'garbage\0')],
  ['is missing', () => rmSync(headsPath())],
  ['lost its last line', () => writeFileSync(headsPath(), firstHead)],
])('when the head file %s, no second history begins under the same name', async (_, harm) => {
  await keep();
  await signed();
  firstHead = readFileSync(headsPath(), 'utf8');
  now += MINUTE_MS;
  await keep();
  await signed();
  harm();
  await restart();
  await desk.compare();
  const log = await reads.current(1);
  expect([log?.number, await typesOf(), warnings.length]).toEqual([2, ['restored'], 1]);
  await signed();
  await desk.compare();
  expect((await reads.current(1))?.number).toBe(2);
});

test('one damaged log does not prevent the comparison of the others', async () => {
  await keep(2);
  await signed();
  await execute(db, 'delete from evidence_nodes');
  await evidenceEntries(db).keepEvidence({ licenseId: 2, type: 'day', at: now, siteId: null, data: {} });
  await desk.signed(2);
  writeFileSync(headsPath(), readFileSync(headsPath(), 'utf8').replace(/ 1 [\w-]{43}\n/, ' 9 $&'));
  await restart();
  await desk.compare();
  expect(warnings).toContain('the evidence of a license is damaged');
  expect((await reads.current(2))?.number).toBe(2);
});

test('the head file survives a truncated line, is compacted, and is created again after removal', async () => {
  await keep();
  await signed();
  appendFileSync(headsPath(), '\nAAAAAAAAAAAAAAAAAAAAAA/1 99 cut');
  const another = async () => {
    now += MINUTE_MS;
    await keep();
    return (await signed()).size;
  };
  expect(await another()).toBe(2);
  const heads = () => openEvidenceHeads(directory, { isOwner: false }).all();
  expect(heads()).toMatchObject([{ number: 1, size: 2 }]);
  const line = readFileSync(headsPath(), 'utf8').trimEnd().split('\n').at(-1);
  for (let at = 0; at < 1_100; at++) appendFileSync(headsPath(), `\n${line}\n`);
  await restart();
  expect(await another()).toBe(3);
  expect(readFileSync(headsPath(), 'utf8').trim().split('\n')).toHaveLength(1);
  rmSync(headsPath());
  expect(await another()).toBe(4);
  expect(heads()).toMatchObject([{ number: 1, size: 4 }]);
});
