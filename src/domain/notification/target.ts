import { DAY_MS, MINUTE_MS } from '../../lib/clock.ts';
import { type Plan, reachesPlan } from '../license/catalog.ts';
import { SEVERITIES, type Severity } from '../severity.ts';
import { NOTIFICATION_TYPES, type NotificationType } from './event.ts';

export const TARGET_KINDS = ['webhook', 'mail', 'syslog'] as const;
export type TargetKind = (typeof TARGET_KINDS)[number];

/** The formats of each kind of target; the first is the default. */
export const TARGET_FORMATS = {
  webhook: ['standard', 'slack', 'teams', 'discord', 'ntfy', 'mattermost'],
  mail: ['text'],
  syslog: ['structured', 'cef', 'ecs'],
} as const satisfies Readonly<Record<TargetKind, readonly [string, ...string[]]>>;
export type TargetFormat = (typeof TARGET_FORMATS)[TargetKind][number];

/** Why a target receives nothing for now; `unconfirmed`: its recipient has not agreed yet. */
export const PAUSE_REASONS = ['operator', 'tenant', 'recipient', 'unconfirmed', 'gone', 'attempts'] as const;
export type PauseReason = (typeof PAUSE_REASONS)[number];

/** Targets that operators may have, and the tenant of each license. */
export const OPERATOR_TARGETS_MAX = 100;
export const TENANT_TARGETS_MAX = 5;
/** Licenses, and customers, that one target may be limited to. */
export const FILTERED_MAX = 100;
export const TARGET_NAME = /^[a-z0-9][a-z0-9._-]{0,39}$/;
export const TARGET_NAME_RULE =
  'must start with a lower-case letter or digit and contain 1 to 40 of a-z, 0-9, dot, hyphen and underscore';
export const ADDRESS_CHARACTERS_MAX = 2_000;
export const CA_CHARACTERS_MAX = 20_000;
export const CUSTOMER_CHARACTERS_MAX = 200;

export const DIGEST_MS_MAX = 7 * DAY_MS;
/** Of a new mail target; other kinds are sent each event at once. */
export const MAIL_DIGEST_MS = 15 * MINUTE_MS;
/** How long the recipient of a tenant's mails has to agree. */
export const CONFIRM_MS = 7 * DAY_MS;
/** Mails that ask a recipient to agree, of one license on one UTC day. */
export const CONFIRMATIONS_A_DAY = 5;
/** How long two secrets sign after a rotation. */
export const ROTATION_MS = DAY_MS;
/** Events that may wait for one target: after that, the oldest are dropped. */
export const WAITING_MAX = 10_000;

/** What a new target receives unless it names events. */
export const DEFAULT_TYPES: readonly NotificationType[] = NOTIFICATION_TYPES.filter(
  (type) => type !== 'audit',
);
/** What tenants can receive: events of their own license, and nothing that only its operator sees. */
export const TENANT_TYPES: readonly NotificationType[] = DEFAULT_TYPES.filter(
  (type) => type !== 'alert.acknowledged' && !/^(?:feed|system)\./.test(type),
);

/** The lowest plan with which tenants use targets. */
export const TENANT_PLAN: Plan = 'pro';
/** Events that inform a tenant why its license no longer has that plan, and when it has it again. */
const OF_LICENSE = /^(?:license\.(?!refused$)|payment\.)/;

/** Whether a tenant with a plan receives an event of its license. */
export const isForPlan = (type: NotificationType, plan: Plan): boolean =>
  reachesPlan(plan, TENANT_PLAN) || OF_LICENSE.test(type);

/** The configuration of a target: its address and its events. */
export interface TargetTerms {
  readonly name: string;
  readonly kind: TargetKind;
  /** See target-address.ts. */
  readonly address: string;
  readonly format: TargetFormat;
  readonly events: readonly NotificationType[];
  readonly minSeverity: Severity;
  /** How long events are collected; 0 = each is sent at once. Critical ones never wait. */
  readonly digestMs: number;
  /** Ids of licenses; with those of `customers`, the only ones whose events it receives. Both empty = all. */
  readonly licenses: readonly number[];
  /** In the words of the licenses' operators. */
  readonly customers: readonly string[];
  readonly isPersonalIncluded: boolean;
  /** PEM certificates that may sign the receiver's; null = the public ones. */
  readonly ca: string | null;
}

/** Where events are sent. */
export interface Target extends TargetTerms {
  readonly id: number;
  /** `tgt_` and 22 characters of base62. */
  readonly publicId: string;
  /** The license of its tenant; null = an operators' target. */
  readonly licenseId: number | null;
  /** `whsec_...`, the newest first; two while both sign, none of kinds that sign nothing. */
  readonly secrets: readonly string[];
}

/** The fields that decide whether a target receives an event. */
export type TargetFilter = Pick<TargetTerms, 'events' | 'minSeverity' | 'licenses' | 'customers'> &
  Pick<Target, 'licenseId'>;

/** The fields of an event that targets select by. */
export interface SelectedBy {
  readonly type: NotificationType;
  readonly severity: Severity;
  /** Of the license that it is about; null = of none. */
  readonly licenseId: number | null;
  /** As noted of that license; null = unknown. */
  readonly customer: string | null;
}

const rank = (severity: Severity): number => SEVERITIES.indexOf(severity);

/** Whether a target receives an event. A tenant's target never receives one of another license, or one that only operators see. */
export function isWanted(target: TargetFilter, event: SelectedBy): boolean {
  const { events, minSeverity, licenses, customers, licenseId } = target;
  if (!events.includes(event.type) || rank(event.severity) < rank(minSeverity)) return false;
  if (licenseId !== null) return event.licenseId === licenseId && TENANT_TYPES.includes(event.type);
  if (licenses.length === 0 && customers.length === 0) return true;
  return (
    (event.licenseId !== null && licenses.includes(event.licenseId)) ||
    (event.customer !== null && customers.includes(event.customer))
  );
}

/** When an event that happens now is due at a target, in milliseconds since the Unix epoch. */
export const firstDueAt = (
  { digestMs }: Pick<TargetTerms, 'digestMs'>,
  severity: Severity,
  now: number,
): number => (severity === 'critical' ? now : now + digestMs);
