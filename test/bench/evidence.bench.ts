/**
 * The cost of evidence: `bun test/bench/evidence.bench.ts`. A log of a million entries; additional entries,
 * next to bare inserts of the same texts; and proofs from it, next to a bare read of one row. With the
 * runtime's compiler and without it, as under the unit; the target is a proof in 2 ms.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, prepareDatabase } from '../../src/storage/engine/sqlite/database.ts';
import { readEvidence } from '../../src/storage/evidence/evidence.ts';
import { evidenceEntries } from '../../src/storage/evidence/evidence-entries.ts';
import { addTwoTenants } from '../support/database.ts';
import { COMPILERS } from './beside.ts';

const ENTRIES = 1_000_000;
const PROOFS = 2_000;
const ADDED = 20_000;
const ROUNDS = 5;
const NOW = Date.UTC(2026, 10, 23);

const median = (values: readonly number[]): number =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

async function timed(work: () => unknown): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

function fill(path: string): void {
  prepareDatabase(path);
  const db = connect(path);
  addTwoTenants(db);
  const { keepEvidence } = evidenceEntries(db);
  db.$client.exec('begin');
  for (let at = 0; at < ENTRIES; at++)
    keepEvidence({ licenseId: 1, type: 'scan', at: NOW + at, siteId: 'site', data: { at } });
  db.$client.exec('commit');
  db.$client.close();
}

async function measure(path: string): Promise<object> {
  const db = connect(path);
  const reads = readEvidence(db);
  const { keepEvidence } = evidenceEntries(db);
  const text = (await reads.entries(1, 0, 1))[0]?.entry ?? '';
  db.$client.exec('create temporary table bare (position integer primary key, entry text)');
  const insert = db.$client.prepare('insert into bare (entry) values (?)');
  const inTransaction = (work: () => void) => {
    db.$client.exec('begin');
    work();
    db.$client.exec('rollback');
  };
  const figures: Record<string, number[]> = { proof: [], row: [], added: [], inserted: [] };
  for (let round = 0; round < ROUNDS; round++) {
    const at = (each: number) => (each * 499_979 + round) % ENTRIES;
    const proofs = await timed(async () => {
      for (let each = 0; each < PROOFS; each++) await reads.inclusionProof(1, at(each), ENTRIES);
    });
    const rows = await timed(async () => {
      for (let each = 0; each < PROOFS; each++) await reads.momentOf(1, at(each));
    });
    const added = await timed(() =>
      inTransaction(() => {
        for (let each = 0; each < ADDED; each++)
          keepEvidence({ licenseId: 1, type: 'scan', at: NOW, siteId: 'site', data: { each } });
      }),
    );
    const inserted = await timed(() =>
      inTransaction(() => {
        for (let each = 0; each < ADDED; each++) insert.run(text);
      }),
    );
    figures.proof?.push(proofs / PROOFS);
    figures.row?.push(rows / PROOFS);
    figures.added?.push(ADDED / added);
    figures.inserted?.push(ADDED / inserted);
  }
  db.$client.close();
  const of = (name: string, digits: number) => Number(median(figures[name] ?? []).toFixed(digits));
  return {
    proofMs: of('proof', 3),
    bareRowMs: of('row', 4),
    entriesPerMs: of('added', 1),
    bareInsertsPerMs: of('inserted', 1),
  };
}

const [made] = process.argv.slice(2);
if (made === undefined) {
  const directory = mkdtempSync(join(tmpdir(), 'redoubt-bench-'));
  const path = join(directory, 'evidence.sqlite');
  fill(path);
  for (const [name, compiler] of COMPILERS) {
    const { stdout } = spawnSync(process.execPath, [import.meta.path, path], {
      env: { ...process.env, BUN_JSC_useJIT: compiler },
      encoding: 'utf8',
    });
    console.log(`${name} the compiler: ${stdout.trim()}`);
  }
  rmSync(directory, { recursive: true });
} else {
  console.log(JSON.stringify(await measure(made)));
}
