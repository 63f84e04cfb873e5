import type { FindingRule } from '../finding.ts';
import type { Severity } from '../severity.ts';
import { ago } from './ago.ts';
import { type Measured, type MeasureKind, measureOf, OUTDATED_DAYS } from './measures.ts';

/** A value of a signal that a practitioner would act on. Practices: CIS Controls v8.1 and CIS Benchmarks. */
interface SignalRule {
  readonly kind: MeasureKind;
  /** The field of its vocabulary; a dot leads into a group. */
  readonly field: string;
  readonly isBad: (value: unknown) => boolean;
  readonly severity: Severity;
  readonly title: string;
  readonly recommendation: string;
}

const some = (value: unknown) => typeof value === 'number' && value > 0;
const notAll = (value: unknown) => typeof value === 'number' && value < 1;
const isOff = (value: unknown) => value === false;
const isOn = (value: unknown) => value === true;
const oneOf =
  (...bands: readonly string[]) =>
  (value: unknown) =>
    typeof value === 'string' && bands.includes(value);

const rule = (
  kind: MeasureKind,
  field: string,
  isBad: SignalRule['isBad'],
  severity: Severity,
  title: string,
  recommendation: string,
): SignalRule => ({ kind, field, isBad, severity, title, recommendation });

const SIGNAL_TABLE: readonly SignalRule[] = [
  rule(
    'digital_immunity',
    'criticalPatchesMissingCount',
    some,
    'high',
    'Critical security updates are missing',
    'Most break-ins exploit vulnerabilities that an update fixes. Install these updates first, and automate critical updates.',
  ),
  rule(
    'digital_immunity',
    'endOfLifeComponentCount',
    some,
    'medium',
    'Unsupported components are in use',
    'Their vulnerabilities will never be fixed. Replace them, or isolate them until then.',
  ),
  rule(
    'digital_immunity',
    'backupAgeBand',
    oneOf('over_30d', 'none'),
    'high',
    'There is no recent backup',
    'Ransomware or a mistake destroys everything newer than the backup. Back up daily, and keep one copy offline.',
  ),
  rule(
    'digital_immunity',
    'restoreTestBand',
    oneOf('over_1y', 'never'),
    'medium',
    'Restoring a backup has not been tested',
    'An untested backup may not be restorable. Restore one in isolation, and repeat this every quarter.',
  ),
  rule(
    'digital_immunity',
    'adminMfaCoverageRatio',
    notAll,
    'high',
    'Administrators sign in without a second factor',
    'One phished password is then enough to take over everything. Require a second factor for every administrator.',
  ),
  rule(
    'digital_immunity',
    'exposedAdminInterfaceCount',
    some,
    'high',
    'Administration pages are open to the internet',
    'Attackers probe such pages constantly. Restrict them to a VPN or an allow list.',
  ),
  rule(
    'digital_immunity',
    'alertingEnabled',
    isOff,
    'low',
    'No alerts are sent outside working hours',
    'Intruders prefer nights and weekends. Send critical alerts to someone on call.',
  ),

  rule(
    'saas',
    'adminMfaCoverageRatio',
    notAll,
    'high',
    'SaaS administrators sign in without a second factor',
    'One phished password then exposes all data. Require a second factor, for administrators first.',
  ),
  rule(
    'saas',
    'highRiskGrantCount',
    some,
    'medium',
    'Third-party applications can read everything',
    'If their vendor is breached, so is your data. Revoke unused grants, and restrict the others.',
  ),
  rule(
    'saas',
    'forwardingRuleCount',
    some,
    'medium',
    'Messages are forwarded to external addresses',
    'Intruders create such rules to keep reading mail. Ask the owners of the mailboxes, and block forwarding to other domains.',
  ),
  rule(
    'saas',
    'legacyAuthBlocked',
    isOff,
    'medium',
    'Legacy authentication is allowed',
    'It bypasses the second factor, so attackers use it. Turn it off.',
  ),
  rule(
    'saas',
    'auditLogEnabled',
    isOff,
    'medium',
    'Administrator actions are not logged',
    'Without a log, the actions of an intruder cannot be traced. Turn it on, and retain it for a year.',
  ),
  rule(
    'saas',
    'dormantAccountCount',
    some,
    'low',
    'Accounts have been unused for 90 days',
    'A takeover of an unused account goes unnoticed. Suspend these accounts.',
  ),
  rule(
    'saas',
    'publicLinkCount',
    some,
    'low',
    'Items are open to anyone with the link',
    'Links are forwarded and leak. Let them expire, and share with named people instead.',
  ),

  rule(
    'server_guard',
    'newPrivilegedBinaryCount',
    some,
    'critical',
    'New programs run with elevated privileges',
    'Intruders use such files to regain access. Find out which package each belongs to; treat a file without a package as a break-in.',
  ),
  rule(
    'server_guard',
    'unexpectedFileChangeCount',
    some,
    'high',
    'System files changed without an update',
    'This is typical of implants. Compare the files with their packages, and isolate the server if one differs.',
  ),
  rule(
    'server_guard',
    'listeningServices.database.publicCount',
    some,
    'high',
    'A database is reachable from the internet',
    'Open databases are found within hours. Bind the database to a private address and close the port.',
  ),
  rule(
    'server_guard',
    'distributionSupported',
    isOff,
    'high',
    'The distribution no longer receives security updates',
    'New vulnerabilities will not be fixed. Upgrade to a supported release.',
  ),
  rule(
    'server_guard',
    'packageAgeBand',
    oneOf('31d_to_90d', 'over_90d'),
    'high',
    'Security updates have been pending for over a month',
    'Exploits appear within days of an update. Install the updates, and automate security updates.',
  ),
  rule(
    'server_guard',
    'securityUpdateCount',
    some,
    'medium',
    'Security updates are pending',
    'Install them, restart the affected services, and automate security updates.',
  ),
  rule(
    'server_guard',
    'passwordAuthenticationDisabled',
    isOff,
    'medium',
    'Remote logins accept passwords',
    'Passwords are guessed and reused. Allow only keys or certificates.',
  ),
  rule(
    'server_guard',
    'rootLoginDisabled',
    isOff,
    'medium',
    'Remote login as root is allowed',
    'Attackers know the name, and the log cannot identify the person. Sign in with personal accounts and elevate privileges.',
  ),
  rule(
    'server_guard',
    'firewallEnabled',
    isOff,
    'medium',
    'The host firewall is off',
    'Every service is reachable as soon as it is started. Block everything that is not allowed.',
  ),

  rule(
    'pc_guard',
    'unresolvedDetectionCount',
    some,
    'high',
    'Detections are unresolved',
    'Malware was detected and not removed. Isolate the PC and clean or reinstall it.',
  ),
  rule(
    'pc_guard',
    'edrStatus',
    oneOf('stopped', 'absent'),
    'high',
    'Endpoint protection is not running',
    'Intruders often stop it first. Find out why, start it, and enable tamper protection.',
  ),
  rule(
    'pc_guard',
    'systemSupported',
    isOff,
    'high',
    'The operating system no longer receives security updates',
    'New vulnerabilities will not be fixed. Upgrade or replace it.',
  ),
  rule(
    'pc_guard',
    'patchAgeBand',
    oneOf('31d_to_90d', 'over_90d'),
    'high',
    'System updates have been pending for over a month',
    'Exploits appear within days of an update. Install the updates and restart.',
  ),
  rule(
    'pc_guard',
    'diskEncryptionEnabled',
    isOff,
    'medium',
    'A system disk is not encrypted',
    'Anyone who finds or steals the PC can read everything. Turn on encryption and store the recovery key elsewhere.',
  ),
  rule(
    'pc_guard',
    'dailyUserIsAdmin',
    isOn,
    'medium',
    'Everyday accounts have administrator rights',
    'Malware started by mistake then controls the PC. Use a standard account.',
  ),
  rule(
    'pc_guard',
    'firewallEnabled',
    isOff,
    'medium',
    'The host firewall is off',
    'On untrusted networks, every service is reachable. Turn it on for all networks.',
  ),

  rule(
    'cloud_immunity',
    'publicStorageCount',
    some,
    'high',
    'Storage is publicly readable',
    'Open buckets are found within hours. Block public access for the whole account, with named exceptions.',
  ),
  rule(
    'cloud_immunity',
    'exposedPortCount',
    some,
    'high',
    'Administrative or database ports are open to the internet',
    'Attackers probe them constantly. Close them, and use a bastion host or a private network.',
  ),
  rule(
    'cloud_immunity',
    'criticalFindingCount',
    some,
    'high',
    'Critical findings of the posture scanner are open',
    'Fix them first: each is a known way in.',
  ),
  rule(
    'cloud_immunity',
    'staleAccessKeyCount',
    some,
    'medium',
    'Access keys are older than 90 days',
    'Old keys are likely to have been copied. Replace them with roles, or rotate them.',
  ),
  rule(
    'cloud_immunity',
    'mfaCoverageRatio',
    notAll,
    'medium',
    'People sign in to the cloud without a second factor',
    'One phished password is then enough to access the account. Require a second factor for everyone.',
  ),
  rule(
    'cloud_immunity',
    'unencryptedVolumeCount',
    some,
    'low',
    'Volumes are not encrypted at rest',
    'Copied snapshots are readable. Make encryption the default of the account.',
  ),
];

const valueAt = (record: Readonly<Record<string, unknown>>, field: string): unknown =>
  field
    .split('.')
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], record);

const DECOY_RULE: FindingRule<Measured> = {
  id: 'decoy_tripped',
  severity: 'critical',
  title: 'A decoy was triggered',
  recommendation:
    'There is no legitimate reason to use a decoy, so treat this as a break-in: find out who had access to its location, ' +
    'rotate the credentials stored near it, and look for other traces from that time.',
  see(measured) {
    const trip = measureOf(measured, 'decoy');
    if (trip === undefined || trip.ageDays > OUTDATED_DAYS) return undefined;
    return `It was last reported ${ago(trip.ageDays)}.`;
  },
};

/** The rules on what the latest signal of each kind says, unless it is outdated; that is a finding of its own. */
export const SIGNAL_RULES: readonly FindingRule<Measured>[] = [
  DECOY_RULE,
  ...SIGNAL_TABLE.map(
    ({ kind, field, isBad, ...finding }): FindingRule<Measured> => ({
      id: `${kind}_${field.replace(/\./g, '_').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`,
      ...finding,
      see(measured) {
        const measure = measureOf(measured, kind);
        if (measure === undefined || measure.ageDays > OUTDATED_DAYS) return undefined;
        const value = valueAt(measure.record, field);
        if (!isBad(value)) return undefined;
        return `The latest signal of this license, measured ${ago(measure.ageDays)}, reports ${field}: ${value}.`;
      },
    }),
  ),
];
