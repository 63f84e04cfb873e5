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
    'Most break-ins use holes for which an update exists. Install these first, and let such updates install themselves.',
  ),
  rule(
    'digital_immunity',
    'endOfLifeComponentCount',
    some,
    'medium',
    'Components without vendor support are in use',
    'No update will ever close their holes. Replace them, or keep them apart from everything else until then.',
  ),
  rule(
    'digital_immunity',
    'backupAgeBand',
    oneOf('over_30d', 'none'),
    'high',
    'There is no recent backup',
    'After ransomware or a mistake, what is newer is lost. Back up daily, with one copy out of reach.',
  ),
  rule(
    'digital_immunity',
    'restoreTestBand',
    oneOf('over_1y', 'never'),
    'medium',
    'Restoring has not been tried',
    'A backup that was never restored is a hope. Restore one in isolation, and do it again every quarter.',
  ),
  rule(
    'digital_immunity',
    'adminMfaCoverageRatio',
    notAll,
    'high',
    'Administrators log in without a second factor',
    'One phished password then opens everything. Make a second factor a condition for every administrator.',
  ),
  rule(
    'digital_immunity',
    'exposedAdminInterfaceCount',
    some,
    'high',
    'Administration is open to the internet',
    'Attackers try such pages all day. Put them behind a VPN or an allow-list.',
  ),
  rule(
    'digital_immunity',
    'alertingEnabled',
    isOff,
    'low',
    'Nobody is alerted outside working hours',
    'Intruders prefer nights and weekends. Let critical alerts wake somebody.',
  ),

  rule(
    'saas',
    'adminMfaCoverageRatio',
    notAll,
    'high',
    'SaaS administrators log in without a second factor',
    'One phished password then opens all of its data. Enforce a second factor for administrators first.',
  ),
  rule(
    'saas',
    'highRiskGrantCount',
    some,
    'medium',
    'Third-party applications may read everything',
    'A break-in at their maker is one at yours. Revoke grants that nobody needs, and narrow the others.',
  ),
  rule(
    'saas',
    'forwardingRuleCount',
    some,
    'medium',
    'Messages are forwarded outside',
    'Intruders leave such rules behind. Ask the owners, and forbid forwarding to other domains.',
  ),
  rule(
    'saas',
    'legacyAuthBlocked',
    isOff,
    'medium',
    'Old login protocols are open',
    'They cannot ask for a second factor, so attackers choose them. Switch them off.',
  ),
  rule(
    'saas',
    'auditLogEnabled',
    isOff,
    'medium',
    'Administrator actions are not logged',
    'Without a log nobody can tell what an intruder did. Switch it on, and keep it for a year.',
  ),
  rule(
    'saas',
    'dormantAccountCount',
    some,
    'low',
    'Accounts are unused for 90 days',
    'Nobody notices when one of them is taken over. Suspend them.',
  ),
  rule(
    'saas',
    'publicLinkCount',
    some,
    'low',
    'Items are open to anybody with the link',
    'Links travel. Let them expire, and share with people instead.',
  ),

  rule(
    'server_guard',
    'newPrivilegedBinaryCount',
    some,
    'critical',
    'New programs run with raised rights',
    'Intruders keep their way back in by such files. Find out which package each belongs to; treat one without as a break-in.',
  ),
  rule(
    'server_guard',
    'unexpectedFileChangeCount',
    some,
    'high',
    'System files have changed without an update',
    'This is how implants look. Compare them with the packages, and isolate the server if one differs.',
  ),
  rule(
    'server_guard',
    'listeningServices.database.publicCount',
    some,
    'high',
    'A database is reachable from the internet',
    'Open databases are found within hours. Bind it to a private address and close the port.',
  ),
  rule(
    'server_guard',
    'distributionSupported',
    isOff,
    'high',
    'The distribution gets no security updates any more',
    'New holes stay open for good. Move to a supported release.',
  ),
  rule(
    'server_guard',
    'packageAgeBand',
    oneOf('31d_to_90d', 'over_90d'),
    'high',
    'Security updates wait for over a month',
    'Exploits appear within days of an update. Install them, and let security updates install themselves.',
  ),
  rule(
    'server_guard',
    'securityUpdateCount',
    some,
    'medium',
    'Security updates are not installed',
    'Install them, restart what they touch, and let security updates install themselves.',
  ),
  rule(
    'server_guard',
    'passwordAuthenticationDisabled',
    isOff,
    'medium',
    'Remote logins take passwords',
    'Passwords are guessed and reused. Take keys or certificates only.',
  ),
  rule(
    'server_guard',
    'rootLoginDisabled',
    isOff,
    'medium',
    'The superuser may log in remotely',
    'Guessing needs no name then, and the log no person. Log in as a person and rise from there.',
  ),
  rule(
    'server_guard',
    'firewallEnabled',
    isOff,
    'medium',
    'The host firewall is off',
    'Every service that somebody starts is open at once. Drop what is not allowed.',
  ),

  rule(
    'pc_guard',
    'unresolvedDetectionCount',
    some,
    'high',
    'Detections are not resolved',
    'Something malicious was seen and left. Isolate the PC and clean or reinstall it.',
  ),
  rule(
    'pc_guard',
    'edrStatus',
    oneOf('stopped', 'absent'),
    'high',
    'Endpoint protection does not run',
    'Stopping it is among the first things an intruder does. Find out why, start it, and protect it from tampering.',
  ),
  rule(
    'pc_guard',
    'systemSupported',
    isOff,
    'high',
    'The operating system gets no security updates any more',
    'New holes stay open for good. Upgrade or replace it.',
  ),
  rule(
    'pc_guard',
    'patchAgeBand',
    oneOf('31d_to_90d', 'over_90d'),
    'high',
    'System updates wait for over a month',
    'Exploits appear within days of an update. Install them and restart.',
  ),
  rule(
    'pc_guard',
    'diskEncryptionEnabled',
    isOff,
    'medium',
    'A system disk is not encrypted',
    'Who finds or steals the PC reads everything. Switch encryption on and keep the recovery key elsewhere.',
  ),
  rule(
    'pc_guard',
    'dailyUserIsAdmin',
    isOn,
    'medium',
    'Daily work is done with administrator rights',
    'Whatever runs by mistake then owns the PC. Work with a standard account.',
  ),
  rule(
    'pc_guard',
    'firewallEnabled',
    isOff,
    'medium',
    'The host firewall is off',
    'In a foreign network every service is open. Switch it on for all networks.',
  ),

  rule(
    'cloud_immunity',
    'publicStorageCount',
    some,
    'high',
    'Storage can be read by anybody',
    'Open buckets are found within hours. Block public access for the whole account, and make exceptions by name.',
  ),
  rule(
    'cloud_immunity',
    'exposedPortCount',
    some,
    'high',
    'Administrative or database ports are open to the internet',
    'Attackers try them all day. Close them, and use a bastion or a private network.',
  ),
  rule(
    'cloud_immunity',
    'criticalFindingCount',
    some,
    'high',
    'Critical findings of the posture scanner are open',
    'Work through them first; each is a known way in.',
  ),
  rule(
    'cloud_immunity',
    'staleAccessKeyCount',
    some,
    'medium',
    'Access keys are older than 90 days',
    'Old keys lie in old places. Replace them by roles, or rotate them.',
  ),
  rule(
    'cloud_immunity',
    'mfaCoverageRatio',
    notAll,
    'medium',
    'People log in to the cloud without a second factor',
    'One phished password then opens the account. Make a second factor a condition for everybody.',
  ),
  rule(
    'cloud_immunity',
    'unencryptedVolumeCount',
    some,
    'low',
    'Volumes are not encrypted at rest',
    'A copied snapshot is readable. Make encryption the default of the account.',
  ),
];

const valueAt = (record: Readonly<Record<string, unknown>>, field: string): unknown =>
  field
    .split('.')
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], record);

const DECOY_RULE: FindingRule<Measured> = {
  id: 'decoy_tripped',
  severity: 'critical',
  title: 'A decoy was touched',
  recommendation:
    'Nobody has a reason to touch a decoy, so treat this as a break-in: find out who had access to where it lies, ' +
    'change the credentials beside it, and look for other traces of that time.',
  see(measured) {
    const trip = measureOf(measured, 'decoy');
    if (trip === undefined || trip.ageDays > OUTDATED_DAYS) return undefined;
    return `The last trip was reported ${ago(trip.ageDays)}.`;
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
        return `The latest signal of this license, measured ${ago(measure.ageDays)}, says ${field}: ${value}.`;
      },
    }),
  ),
];
