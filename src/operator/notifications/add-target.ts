import { NOTIFICATION_TYPES, type NotificationType } from '../../domain/notification/event.ts';
import {
  DEFAULT_TYPES,
  DIGEST_MS_MAX,
  MAIL_DIGEST_MS,
  OPERATOR_TARGETS_MAX,
  TARGET_FORMATS,
  TARGET_NAME,
  TARGET_NAME_RULE,
  type TargetFormat,
  type TargetKind,
  type TargetTerms,
  TENANT_TARGETS_MAX,
  TENANT_TYPES,
} from '../../domain/notification/target.ts';
import {
  maskedAddress,
  parseTargetAddress,
  type TargetAddress,
} from '../../domain/notification/target-address.ts';
import { newTargetSecret, sealTargetSecret } from '../../domain/notification/target-secret.ts';
import { tenantReason } from '../../domain/notification/tenant-reason.ts';
import { newOpaqueId } from '../../lib/opaque-id.ts';
import type { NewTarget } from '../../storage/notifications/target-jobs.ts';
import type { TargetRecord } from '../../storage/notifications/targets.ts';
import type { Act, PlannedAct, RefusedAct } from '../act.ts';
import { auditedOnTarget } from './audited-target.ts';

/** What a new target is to be; what is left out is the default of its kind. */
export interface WantedTarget extends Partial<Omit<TargetTerms, 'kind' | 'name' | 'address'>> {
  readonly name: string;
  readonly address: string;
  /** Of the tenant whose target it is; null = the operators'. */
  readonly licenseId: number | null;
}

export interface AddGrounds {
  /** All targets of its owner. */
  readonly all: readonly Pick<TargetRecord, 'name'>[];
  /** See DerivedIdentities.targetKey. */
  readonly targetKey: Uint8Array;
  /** See mayBePrivate. */
  readonly allowPrivate: boolean;
}

/** What adds a target. */
export interface AddedTarget extends PlannedAct {
  /** Shown once; undefined where nothing is signed with one. */
  readonly secret: string | undefined;
  /** Whether the recipient has to agree before anything is sent. */
  readonly isUnconfirmed: boolean;
}

/** Plans to add a target of operators or of a tenant. */
export function addTarget(wanted: WantedTarget, grounds: AddGrounds, act: Act): AddedTarget | RefusedAct {
  const plan = plannedTarget(wanted, grounds, act);
  return 'refused' in plan && wanted.licenseId !== null ? { refused: tenantReason(plan.refused) } : plan;
}

function plannedTarget(
  wanted: WantedTarget,
  { all, targetKey, allowPrivate }: AddGrounds,
  act: Act,
): AddedTarget | RefusedAct {
  const { name, licenseId } = wanted;
  const refusal = whyNotNamed(wanted, all);
  if (refusal !== undefined) return { refused: refusal };
  const address = parseTargetAddress(wanted.address, { allowPrivate });
  if ('refused' in address) return address;
  const format = wanted.format ?? TARGET_FORMATS[address.kind][0];
  const unfit = whyUnfit(wanted, address, format);
  if (unfit !== undefined) return { refused: unfit };
  const publicId = `tgt_${newOpaqueId()}`;
  const secret = isSigned(address.kind, format) ? newTargetSecret() : undefined;
  const terms: TargetTerms = {
    name,
    ...address,
    format,
    ca: wanted.ca ?? null,
    events: eventsOf(wanted),
    minSeverity: wanted.minSeverity ?? 'info',
    digestMs: wanted.digestMs ?? (address.kind === 'mail' ? MAIL_DIGEST_MS : 0),
    licenses: wanted.licenses ?? [],
    customers: wanted.customers ?? [],
    isPersonalIncluded: wanted.isPersonalIncluded ?? false,
  };
  const sealed = secret === undefined ? null : sealTargetSecret(targetKey, publicId, secret);
  // A tenant could name anyone's mailbox.
  const isUnconfirmed = licenseId !== null && address.kind === 'mail';
  const input: NewTarget = {
    ...terms,
    publicId,
    licenseId,
    secret: sealed,
    createdAt: act.now,
    ...(isUnconfirmed ? { pausedAt: act.now, pausedReason: 'unconfirmed' } : {}),
  };
  const { events, minSeverity, digestMs, isPersonalIncluded } = terms;
  const after = {
    kind: address.kind,
    address: maskedAddress(address),
    format,
    minSeverity,
    digestMs,
    isPersonalIncluded,
    events: eventsShown(events),
    licenses: terms.licenses.length,
    customers: terms.customers.length,
  };
  const planned = auditedOnTarget(act, 'add', wanted, { jobs: [{ name: 'addTarget', input }], after });
  return { ...planned, secret, isUnconfirmed };
}

/** Whether deliveries are signed with a secret: chats have no use for a signature. */
export const isSigned = (kind: TargetKind, format: TargetFormat): boolean =>
  kind === 'webhook' && format === TARGET_FORMATS.webhook[0];

const typesOf = ({ licenseId }: Pick<WantedTarget, 'licenseId'>): readonly NotificationType[] =>
  licenseId === null ? NOTIFICATION_TYPES : TENANT_TYPES;

/** In the order of all types, each once. */
function eventsOf({ events = [], licenseId }: WantedTarget): readonly NotificationType[] {
  const types = typesOf({ licenseId });
  return events.length === 0
    ? types.filter((type) => DEFAULT_TYPES.includes(type))
    : types.filter((type) => events.includes(type));
}

/** In the audit log: all types, and all that a target receives by default, have a short name. */
function eventsShown(events: readonly NotificationType[]): readonly string[] {
  if (events.length === NOTIFICATION_TYPES.length) return ['all'];
  const isDefault = events.length === DEFAULT_TYPES.length && !events.includes('audit');
  return isDefault ? ['all except audit'] : events;
}

function whyNotNamed({ name, licenseId }: WantedTarget, all: AddGrounds['all']): string | undefined {
  if (!TARGET_NAME.test(name)) return `The name ${TARGET_NAME_RULE}.`;
  if (all.some((each) => each.name === name))
    return 'A target of this name already exists. Choose another name.';
  const most = licenseId === null ? OPERATOR_TARGETS_MAX : TENANT_TARGETS_MAX;
  return all.length >= most ? `The limit of ${most} targets is reached. Remove one first.` : undefined;
}

/** Why terms do not fit together. */
function whyUnfit(
  { licenseId, events = [], ca = null, digestMs = 0 }: WantedTarget,
  { kind, address }: TargetAddress,
  format: TargetFormat,
): string | undefined {
  const formats: readonly TargetFormat[] = TARGET_FORMATS[kind];
  if (licenseId !== null && kind === 'syslog') return 'The address must start with https:// or mailto:.';
  if (!formats.includes(format))
    return `Targets of this kind have no such format. Use ${formats.join(', ')}.`;
  if (events.some((type) => !typesOf({ licenseId }).includes(type)))
    return 'One of these events is not available. Leave it out.';
  if (digestMs > DIGEST_MS_MAX) return 'The digest interval is longer than 7 days. Use a shorter one.';
  if (ca !== null && !/^(?:https|syslog\+tls):/.test(address))
    return 'Only https and syslog+tls addresses use CA certificates. Leave them out.';
  return undefined;
}
