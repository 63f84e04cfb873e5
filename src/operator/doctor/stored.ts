import { existsSync } from 'node:fs';
import { backupWarning } from '../../domain/backup/backup-warning.ts';
import { type AgedSource, isStale, mirrorState } from '../../domain/vulnerability/mirror-age.ts';
import { iso } from '../../lib/clock.ts';
import type { Config } from '../../settings/config.ts';
import { type Database, DatabaseUnusable } from '../../storage/engine/database.ts';
import { readFirstMoment, readLastBackup } from '../../storage/installation/backups.ts';
import { openKeptSnapshot } from '../../storage/mirror/open-snapshot.ts';
import { isShared } from '../../storage/mirror/shared-snapshots.ts';
import { snapshotPath } from '../../storage/mirror/snapshot-files.ts';
import { type FailingCounts, readFailingCounts } from '../../storage/payments/payment-problems.ts';
import { readFeedTrusts } from '../../storage/threats/feed-trusts.ts';
import { readMirrorState } from '../../storage/vulnerabilities/mirror-state.ts';
import { type Finding, warning } from './finding.ts';

/** Looks when the last good backup was made. */
export async function examineBackup(
  db: Database,
  { backupWarnHours }: Config,
  now: number,
): Promise<Finding[]> {
  const [last, firstAt] = [await readLastBackup(db)(), await readFirstMoment(db)()];
  const isOfKeys = db.sqlDialect.isShared;
  const words = backupWarning({ lastAt: last?.at, firstAt, warnHours: backupWarnHours, isOfKeys, now });
  return words === undefined ? [] : [warning('backup', words, 'create one: redoubt backup create')];
}

/** Looks whether the vulnerability data in use can be read, and how old it is. */
export async function examineMirror(db: Database, config: Config, now: number): Promise<Finding[]> {
  const { current, kept } = await readMirrorState(db)();
  if (current === null) return [];
  // A node that has no copy of it yet makes one when it needs it.
  if (!existsSync(snapshotPath(config.dataDir, current)) && (await isShared(db, current))) {
    const { importedAt = now } = kept.find(({ id }) => id === current) ?? {};
    const asIf = { name: `imported ${iso(importedAt)}`, format: '', publishedAt: null, importedAt };
    return judgeMirror([asIf], config.mirrorStaleHours, now);
  }
  try {
    const { sources, close } = await openKeptSnapshot(config.dataDir, current);
    close();
    return judgeMirror(sources, config.mirrorStaleHours, now);
  } catch (error) {
    if (!(error instanceof DatabaseUnusable)) throw error;
    return [warning('mirror-broken', error.message, 'run redoubt vulns import, or redoubt vulns rollback')];
  }
}

/** Whether the vulnerability data is too old to rely on. */
export function judgeMirror(
  sources: readonly (AgedSource & { readonly name: string })[],
  staleHours: number,
  now: number,
): Finding[] {
  if (mirrorState(sources, staleHours, now) !== 'stale') return [];
  const stale = sources.filter((source) => isStale(source, staleHours, now)).map(({ name }) => name);
  const what = `the vulnerability data is too old: ${stale.join(', ')}`;
  return [warning('mirror-stale', what, 'import newer feeds: redoubt vulns import')];
}

/** Checks for unsettled events of the payment processor. */
export const examinePayments = async (db: Database): Promise<Finding[]> =>
  judgePayments(await readFailingCounts(db)());

export function judgePayments({ events, subjects }: FailingCounts): Finding[] {
  if (events === 0) return [];
  const what = `${events} payment events, about ${subjects} orders or payments, cannot be settled`;
  return [
    warning(
      'payments-stuck',
      what,
      '"redoubt payments problems" lists the reasons, "redoubt payments retry" retries',
    ),
  ];
}

/** Looks which installations are trusted whose feeds have expired. */
export const examineFeedTrusts = async (db: Database, now: number): Promise<Finding[]> =>
  (await readFeedTrusts(db))
    .filter(({ expiresAt }) => expiresAt !== null && expiresAt <= now)
    .map(({ name, expiresAt }) =>
      warning(
        'feed-expired',
        `the feed of ${name} expired at ${iso(expiresAt ?? now)}`,
        `import a newer one (redoubt feed import), or stop trusting it: redoubt feed trust remove ${name}`,
      ),
    );
