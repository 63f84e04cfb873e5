import { iso } from '../../lib/clock.ts';
import type { Author } from '../admin/author.ts';
import type { Severity } from '../severity.ts';
import type { NotificationData, NotificationType } from './event.ts';

/** The parts of an audit entry that events use. */
interface AuditedEntry extends Author {
  readonly action: string;
  readonly subject: string | null;
  readonly before?: Readonly<Record<string, unknown>>;
  readonly after?: Readonly<Record<string, unknown>>;
}

interface AuditEvent {
  readonly type: NotificationType;
  readonly severity: Severity;
  readonly data: NotificationData;
  readonly personal?: Readonly<Record<string, string>>;
}

/** Acts that change what a license may do, or its domains. */
const CHANGES: ReadonlySet<string> = new Set([
  'license.bind',
  'license.block',
  'license.change',
  'license.extend',
  'license.prolong',
  'license.rotate',
  'license.unbind',
  'license.unblock',
]);

/** Facts of a license that only operators see. */
const NOTES: ReadonlySet<string> = new Set(['note', 'customer', 'email', 'externalId']);

const SEVERITY_OF_FAILED_SIGN_IN: Severity = 'medium';

/**
 * The events of an entry in the audit log: the entry itself, without the values of its facts, and its effect on the license.
 *
 * @param isPending whether its license waits for a card; until then it has no events
 */
export function auditEvents(entry: AuditedEntry, isPending: boolean): AuditEvent[] {
  const { actor, action, subject, reason, requestId, before = {}, after = {} } = entry;
  const changed = Object.keys({ ...before, ...after }).join(',');
  const audit: AuditEvent = {
    type: 'audit',
    severity: action === 'operator.sign-in-failed' ? SEVERITY_OF_FAILED_SIGN_IN : 'info',
    data: { action, actor, subject, changed: changed || null, request_id: requestId ?? null },
    ...(reason === undefined ? {} : { personal: { reason } }),
  };
  const ofLicense = isPending ? undefined : licenseEvent(entry);
  return ofLicense ? [audit, ofLicense] : [audit];
}

function licenseEvent(entry: AuditedEntry): AuditEvent | undefined {
  const { action, subject, before = {}, after = {} } = entry;
  const license = subject;
  const facts = Object.keys({ ...before, ...after });
  if (action === 'license.change' && facts.every((fact) => NOTES.has(fact))) return undefined;
  if (CHANGES.has(action))
    return event('license.changed', 'info', {
      license,
      change: action.slice('license.'.length),
      changed: facts.join(',') || null,
    });
  switch (action) {
    case 'license.issue':
      return after.kind === 'trial'
        ? event('trial.started', 'info', { license })
        : event('license.issued', 'info', { license });
    case 'license.import':
      return event('license.issued', 'info', { license });
    case 'trial.confirm':
      return event('trial.started', 'info', { license });
    case 'license.suspend':
      return event('license.suspended', 'medium', { license });
    case 'license.resume':
      return event('license.resumed', 'info', { license });
    case 'license.revoke':
      return event('license.revoked', 'medium', { license });
    case 'license.dispute':
      return after.status === 'settled'
        ? event('license.resumed', 'info', { license, reason: 'dispute' })
        : event('license.suspended', 'medium', { license, reason: 'dispute' });
    case 'license.payment':
      return paymentEvent(entry);
    case 'alert.acknowledge':
      return event('alert.acknowledged', 'info', {
        license,
        domain: textOf(after.domain),
        alert: textOf(after.subject),
      });
    default:
      return undefined;
  }
}

/** None for a change of the terms alone, such as the next period of a subscription. */
function paymentEvent({ subject: license, before = {}, after = {} }: AuditedEntry): AuditEvent | undefined {
  const [was, is] = [isHeld(before), isHeld(after)];
  if (was === is) return undefined;
  if (!is) return event('payment.recovered', 'info', { license });
  return event('payment.failed', 'high', {
    license,
    status: textOf(after.status),
    hold_from: typeof after.paymentHoldFrom === 'number' ? iso(after.paymentHoldFrom) : null,
  });
}

const isHeld = ({ paymentHolds, paymentHoldFrom }: Readonly<Record<string, unknown>>): boolean =>
  typeof paymentHoldFrom === 'number' || (Array.isArray(paymentHolds) && paymentHolds.length > 0);

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const event = (type: NotificationType, severity: Severity, data: NotificationData): AuditEvent => ({
  type,
  severity,
  data,
});
