import { NOTIFICATION_TYPES } from '../../src/domain/notification/event.ts';
import { TARGET_FORMATS, type TargetKind } from '../../src/domain/notification/target.ts';
import type { NewTarget } from '../../src/storage/notifications/target-jobs.ts';

const ADDRESSES: Readonly<Record<TargetKind, string>> = {
  webhook: 'https://hooks.example/',
  mail: 'mailto:alerts@example.com',
  syslog: 'syslog+tls://siem.example:6514',
};

/** A target of operators that wants every event at once, unless told otherwise. */
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
