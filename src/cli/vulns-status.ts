import type { Command } from 'commander';
import { EXPLOITATION_FINDINGS } from '../domain/risk/score.ts';
import { ageHours, isStale, mirrorState } from '../domain/vulnerability/mirror-age.ts';
import { iso, isoOrNull } from '../lib/clock.ts';
import type { Config } from '../settings/config.ts';
import type { Snapshot } from '../storage/mirror/open-snapshot.ts';
import type { SnapshotSource } from '../storage/mirror/snapshot-sources.ts';
import { readAssertions } from '../storage/vulnerabilities/assertions.ts';
import { readMirrorState } from '../storage/vulnerabilities/mirror-state.ts';
import { print, printJson, table } from '../terminal/output.ts';
import { type Store, withStore } from '../terminal/store.ts';
import { withCurrentSnapshot } from './vulns-snapshot.ts';

type Status = Awaited<ReturnType<typeof statusOf>>;

/** `vulns status`: what is known here, and how old it is. */
export function addStatusCommand(vulns: Command, settings: () => Config): void {
  vulns
    .command('status')
    .description('show the imported data, its age, and whether rollback is possible')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  redoubt vulns status')
    .action(({ json }: { json?: true }) =>
      withStore(settings(), async (store) => {
        const { dataDir, mirrorStaleHours } = settings();
        const status = await withCurrentSnapshot(store.db, dataDir, (snapshot) =>
          statusOf(store, snapshot, mirrorStaleHours),
        );
        if (json) printJson(status);
        else show(status);
      }),
    );
}

async function statusOf({ db }: Store, snapshot: Snapshot | null, staleHours: number) {
  const now = Date.now();
  const { current, kept } = await readMirrorState(db)();
  const sources = snapshot?.sources ?? [];
  return {
    state: mirrorState(sources, staleHours, now),
    snapshot_id: current,
    sources: sources.map((source) => describedSource(source, staleHours, now)),
    kept: kept.map(({ id, importedAt }) => ({
      snapshot_id: id,
      imported_at: iso(importedAt),
      in_use: id === current,
    })),
    assertions: [...(await readAssertions(db)())].map(([name, { exploitation, reason, assertedAt }]) => ({
      vulnerability_id: name,
      exploitation,
      reason,
      asserted_at: iso(assertedAt),
      known: snapshot?.find(name) !== undefined,
    })),
  };
}

const describedSource = (source: SnapshotSource, staleHours: number, now: number) => ({
  source: source.name,
  format: source.format,
  records: source.records,
  refused: source.refused,
  published_at: isoOrNull(source.publishedAt),
  imported_at: iso(source.importedAt),
  age_hours: ageHours(source, now),
  stale: isStale(source, staleHours, now),
  sha256: source.sha256,
  epss_model_version: source.epssModelVersion,
  license: source.license,
  attribution: source.attribution,
});

const STATES: Readonly<Record<Status['state'], string>> = {
  empty: 'no data imported',
  current: 'current',
  stale: 'stale: the marked sources are too old. Import newer feeds',
};

function show({ state, snapshot_id, sources, kept, assertions }: Status): void {
  if (snapshot_id === null) print(`${STATES.empty}. See redoubt vulns import --help`);
  else print(`${STATES[state]}, snapshot ${snapshot_id}`);
  showTable(
    ['source', 'records', 'refused', 'date', 'age in hours', 'state', 'imported'],
    sources.map((source) => [
      source.source,
      source.records,
      source.refused,
      source.published_at,
      source.age_hours,
      source.stale ? 'stale' : 'current',
      source.imported_at,
    ]),
  );
  showTable(
    ['snapshot', 'imported', 'state'],
    kept.map((one) => [one.snapshot_id, one.imported_at, one.in_use ? 'in use' : 'kept']),
  );
  showTable(
    ['vulnerability', 'asserted by you', 'at', 'reason'],
    assertions.map((one) => [
      one.vulnerability_id,
      `${EXPLOITATION_FINDINGS[one.exploitation]}${one.known ? '' : ', but in no feed'}`,
      one.asserted_at,
      one.reason,
    ]),
  );
}

function showTable(columns: readonly string[], rows: readonly (readonly unknown[])[]): void {
  if (rows.length > 0) print(`\n${table(columns, rows)}`);
}
