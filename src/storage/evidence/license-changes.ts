import { parseLicenseName } from '../../domain/license/license-name.ts';
import { isoOrNull } from '../../lib/clock.ts';
import type { Database } from '../engine/database.ts';
import type { React } from '../engine/jobs/reactions.ts';
import { prepare } from '../engine/statement.ts';
import { evidenceEntries } from './evidence-entries.ts';

/** An act in the audit log. */
interface AuditedAct {
  readonly at: number;
  readonly action: string;
  readonly subject: string | null;
  readonly after?: Readonly<Record<string, unknown>>;
}

interface TermsRow {
  readonly kind: string;
  readonly plan: string;
  readonly sites: number | null;
  readonly expiresAt: number | null;
  readonly holds: string;
  readonly paymentHolds: string;
  readonly revokedAt: number | null;
  readonly pendingUntil: number | null;
  readonly domains: number;
}

const CHANGE = 'license.change';
/** The acts that a license's history reports. Others change only the operator's records. */
const RECORDED_ACTIONS: ReadonlySet<string> = new Set([
  'license.issue',
  CHANGE,
  'license.extend',
  'license.prolong',
  'license.payment',
  'license.dispute',
  'license.suspend',
  'license.resume',
  'license.revoke',
  'license.rotate',
  'license.bind',
  'license.unbind',
  'license.block',
  'license.unblock',
  'trial.confirm',
]);
/** The terms of a license; its other fields are the operator's notes. */
const TERMS: readonly string[] = [
  'kind',
  'plan',
  'sitesOverride',
  'dailyEventsOverride',
  'dailyBytesOverride',
  'modulesAllowed',
  'modulesDenied',
  'expiresAt',
];
const NONE = '[]';

const isRecorded = ({ action, after = {} }: AuditedAct): boolean =>
  RECORDED_ACTIONS.has(action) &&
  (action !== CHANGE || Object.keys(after).some((fact) => TERMS.includes(fact)));

/** Records changes of licenses in their evidence: terms only, never the customer or the reason. */
export function keepLicenseChanges(db: Database): React<AuditedAct> {
  const { keepEvidence } = evidenceEntries(db);
  const termsOf = prepare<TermsRow>(
    db,
    `
    select kind, plan, sites_override as sites, expires_at as expiresAt, holds, payment_holds as paymentHolds,
        revoked_at as revokedAt, pending_until as pendingUntil,
        (select count(*) from license_domains where license_id = l.id) as domains
      from licenses l where id = ?
    `,
  );

  return async (act) => {
    const { at, action, subject } = act;
    const licenseId = parseLicenseName(subject ?? '');
    if (licenseId === undefined || !isRecorded(act)) return;
    const terms = await termsOf.get(licenseId);
    // An unconfirmed trial may be deleted without a trace.
    if (terms === undefined || terms.pendingUntil !== null) return;
    const { kind, plan, sites, domains } = terms;
    const data = {
      change: action.slice(action.indexOf('.') + 1),
      kind,
      plan,
      sites_override: sites,
      expires_at: isoOrNull(terms.expiresAt),
      held: terms.holds !== NONE || terms.paymentHolds !== NONE,
      revoked: terms.revokedAt !== null,
      domains,
    };
    await keepEvidence({ licenseId, type: 'license_changed', at, siteId: null, data });
  };
}
