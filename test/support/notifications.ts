import { NOTIFICATION_TYPES } from '../../src/domain/notification/event.ts';
import { TARGET_FORMATS, type TargetKind } from '../../src/domain/notification/target.ts';
import { isRefusal } from '../../src/domain/refusal.ts';
import type { Severity } from '../../src/domain/severity.ts';
import { type Database, inTransaction } from '../../src/storage/engine/database.ts';
import { prepareJobs } from '../../src/storage/jobs.ts';
import { prepareAppend } from '../../src/storage/notifications/append.ts';
import type { NewTarget } from '../../src/storage/notifications/target-jobs.ts';

const ADDRESSES: Readonly<Record<TargetKind, string>> = {
  webhook: 'https://hooks.example/',
  mail: 'mailto:alerts@example.com',
  syslog: 'syslog+tls://siem.example:6514',
};

/** An operators' target for every event at once, by default. */
export function newTarget(name: string, terms: Partial<NewTarget> = {}): NewTarget {
  const { kind = 'webhook', licenseId = null } = terms;
  return {
    publicId: `tgt_${name}${licenseId ?? ''}`,
    licenseId,
    name,
    kind,
    address: ADDRESSES[kind],
    format: TARGET_FORMATS[kind][0],
    events: NOTIFICATION_TYPES,
    minSeverity: 'info',
    digestMs: 0,
    licenses: [],
    customers: [],
    isPersonalIncluded: false,
    ca: null,
    secret: null,
    createdAt: 0,
    ...terms,
  };
}

/** Adds such a target; returns its id. */
export async function addTarget(db: Database, name: string, terms?: Partial<NewTarget>): Promise<number> {
  const id = await prepareJobs(db).addTarget(newTarget(name, terms));
  if (isRefusal(id)) throw new Error(id.message);
  return id;
}

/** Appends events of the type `audit`, numbered from 0, in one transaction. */
export async function addEvents(
  db: Database,
  { count, severity, now }: { readonly count: number; readonly severity: Severity; readonly now: number },
): Promise<void> {
  prepareJobs(db);
  const { append } = prepareAppend(db);
  await inTransaction(db, async () => {
    for (let number = 0; number < count; number++)
      await append([{ type: 'audit', severity, at: now, licenseId: null, data: { number } }]);
  });
}
