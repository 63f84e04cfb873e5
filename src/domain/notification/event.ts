import type { Severity } from '../severity.ts';

/** Types of events that reach targets, by subject. `audit` is every entry of the audit log. */
export const NOTIFICATION_TYPES = [
  'alert.opened',
  'alert.closed',
  'alert.acknowledged',
  'site.silent',
  'site.back',
  'vulnerability.found',
  'vulnerability.exploited',
  'vulnerability.fixed',
  'license.issued',
  'license.changed',
  'license.suspended',
  'license.resumed',
  'license.revoked',
  'license.expired',
  'license.expiring',
  'license.refused',
  'payment.failed',
  'payment.recovered',
  'trial.started',
  'scan.finished',
  'trust.changed',
  'credential.revoked',
  'feed.changed',
  'feed.withdrawn',
  'system.problem',
  'system.recovered',
  'audit',
] as const;
export type NotificationType = (typeof NOTIFICATION_TYPES)[number];
/** Of the event that a test of a target sends, which no target can ask for. */
export const TEST_TYPE = 'test';

/** Data of an event: identifiers, counts and codes; never content, keys, names of customers or mail addresses. */
export type NotificationData = Readonly<Record<string, string | number | boolean | null>>;

/** An event as it is sent to a target. */
export interface NotificationEvent {
  /** `evt_` and 22 characters of base62: the same at every target and in replays, so that receivers drop repeats. */
  readonly id: string;
  readonly type: NotificationType | typeof TEST_TYPE;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  readonly severity: Severity;
  /** One line in plain English: what happened, without customer names. */
  readonly summary: string;
  /** A page of console or portal where the recipient can act, if the address of that page is configured. */
  readonly link?: string;
  readonly data: NotificationData;
  /** What only targets with `--include-personal` receive: customer's name, mail address, reasons of audit entries. */
  readonly personal?: Readonly<Record<string, string>>;
}
