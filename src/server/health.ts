import { backupWarning } from '../domain/backup/backup-warning.ts';
import type { Health, ReloadState } from '../routes/service-health.ts';
import { type Certificate, judgeCertificate } from '../settings/certificate.ts';
import type { Feed } from '../tasks/feed.ts';
import type { Mirror } from '../tasks/mirror.ts';
import type { AnalysisDesk } from './analysis-desk.ts';
import { countedPerNode, type SharedLimits } from './shared-limits.ts';
import type { StoreWatch } from './store-watch.ts';

export interface HealthParts {
  readonly storeWatch: Pick<StoreWatch, 'problems'>;
  /** Whether the clock is behind stored data. */
  readonly isClockBehind: () => boolean;
  readonly isReadable: () => boolean;
  /** Whether this node is about to stop, so that balancers must use others. */
  readonly isLeaving: () => boolean;
  readonly feed: Pick<Feed, 'problem' | 'isLate'>;
  readonly mirror: Pick<Mirror, 'isBroken'>;
  readonly isAnalysisAvailable: AnalysisDesk['isAvailable'];
  /** See CredentialKeys. */
  readonly canSign: () => boolean;
  readonly canSignReplies: () => Promise<boolean>;
  /** Undefined if the listener has no TLS. */
  readonly certificate: () => Certificate | undefined;
  /** The certificate of the admin API. */
  readonly adminCertificate: () => Certificate | undefined;
  /** Why one of the two loopback addresses has no listener; undefined if none is missing. */
  readonly addressMissing: () => string | undefined;
  /** Likewise, for the admin API. */
  readonly adminAddressMissing: () => string | undefined;
  readonly lastBackup: Health['lastBackup'];
  /** See readFirstMoment. */
  readonly firstMoment: () => Promise<number | undefined>;
  readonly backupWarnHours: () => number;
  /** The rate limits that all nodes share; undefined on a single node. */
  readonly sharedDraws: Pick<SharedLimits, 'isCounted' | 'keeper'> | undefined;
  readonly reloads: Readonly<ReloadState>;
  readonly now: () => number;
}

/** An expected problem that ends with the process. */
export const NODE_STOPPING = 'this node is stopping';

/** Describes the state of all parts. Unauthenticated callers can read it, so details of the database are only in the log. */
export const watchHealth = (parts: HealthParts): Health => ({
  problems: () => [
    ...(parts.isLeaving() ? [NODE_STOPPING] : []),
    ...parts.storeWatch.problems(),
    ...(parts.isClockBehind() ? ['the clock is more than a day behind the newest data'] : []),
    ...(parts.isReadable() ? [] : ['the database cannot be read, or its file was replaced']),
    ...(parts.feed.problem === undefined ? [] : ['the threat feed could not be rebuilt']),
    ...(parts.feed.isLate() ? ['the threat feed is out of date: its rebuild hangs'] : []),
    ...(parts.isAnalysisAvailable() ? [] : ['the analysis process could not be started']),
    ...judgeCertificate(parts.certificate(), parts.now()).problems,
  ],
  warnings: async () => [
    ...judgeCertificate(parts.certificate(), parts.now()).warnings,
    ...adminCertificateWarnings(parts),
    ...addressWarnings('the service', parts.addressMissing()),
    ...addressWarnings('the admin API', parts.adminAddressMissing()),
    ...(parts.mirror.isBroken
      ? ['the vulnerability data cannot be read. Run redoubt vulns import, or redoubt vulns rollback']
      : []),
    ...(await limitWarnings(parts)),
    ...(parts.canSign() ? [] : ['no key can sign credentials. The log has the reason']),
    ...((await parts.canSignReplies()) ? [] : ['no key can sign replies. The log has the reason']),
    ...(parts.reloads.hasLastFailed
      ? ['the last reload failed: the previous settings remain in effect']
      : []),
    ...(await backupWarnings(parts)),
  ],
  lastBackup: parts.lastBackup,
  certificateEndsAt: () => parts.certificate()?.endsAt,
  reloads: parts.reloads,
});

/** Tenants are not affected, so problems of this certificate are only warnings. */
function adminCertificateWarnings({ adminCertificate, now }: HealthParts): string[] {
  const { problems, warnings } = judgeCertificate(adminCertificate(), now());
  return [...problems, ...warnings].map((words) => `${words} (admin API)`);
}

const addressWarnings = (who: string, missing: string | undefined): string[] =>
  missing === undefined ? [] : [`${who} listens on one loopback address only: ${missing}`];

async function limitWarnings({ sharedDraws }: HealthParts): Promise<string[]> {
  return sharedDraws === undefined || (await sharedDraws.isCounted()) ? [] : [countedPerNode(sharedDraws)];
}

/** Empty if the database cannot be read, which is reported as a problem. */
async function backupWarnings({ lastBackup, firstMoment, backupWarnHours, sharedDraws, now }: HealthParts) {
  const warnHours = backupWarnHours();
  if (warnHours === 0) return [];
  try {
    const lastAt = (await lastBackup())?.at;
    const firstAt = lastAt === undefined ? await firstMoment() : undefined;
    // Nodes that share limits use PostgreSQL, which `redoubt backup` does not include.
    const isOfKeys = sharedDraws !== undefined;
    const warning = backupWarning({ lastAt, firstAt, warnHours, isOfKeys, now: now() });
    return warning === undefined ? [] : [warning];
  } catch {
    return [];
  }
}
