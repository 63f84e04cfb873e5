import { pcGuardPolicy } from '../domain/privacy/policies.ts';
import { KIB } from '../http/context.ts';
import { band, count, flag, ratio } from './fields.ts';
import { postureSignal } from './posture.ts';

/** How one PC, or a group of them, is protected. */
export const pcGuard = postureSignal({
  path: '/pc-guard/signal',
  summary: 'Report the posture of a PC or a group of PCs',
  description: 'Disk encryption, endpoint protection (EDR), patch age, firewall and removable media.',
  capBytes: 16 * KIB,
  privacy: pcGuardPolicy,
  codes: { shape: 'PC_GUARD_INVALID_SIGNAL', privacy: 'PC_GUARD_PRIVACY_REJECTED' },
  identity: 'licenseIdHash',
  persistence: 'stored',
  vocabulary: {
    deviceCount: count('PCs that this signal is about'),
    diskEncryptionEnabled: flag('the system disk is encrypted; for a group, all of them are'),
    encryptedVolumeRatio: ratio('volumes that are encrypted'),
    secureBootEnabled: flag('only signed boot code runs'),
    edrStatus: band('state of the endpoint protection', ['running', 'outdated', 'stopped', 'absent']),
    edrCoverageRatio: ratio('PCs with running endpoint protection'),
    edrDefinitionAgeBand: band('age of its detection rules', ['under_24h', '1d_to_7d', 'over_7d', 'unknown']),
    tamperProtectionEnabled: flag('a user cannot switch the protection off'),
    detectionCount: count('detections in 30 days'),
    unresolvedDetectionCount: count('detections that are neither blocked nor cleaned'),
    patchAgeBand: band('age of the oldest missing security update of the system', [
      'none',
      'up_to_7d',
      '8d_to_30d',
      '31d_to_90d',
      'over_90d',
    ]),
    systemSupported: flag('the operating system still gets security updates'),
    rebootPendingBand: band('how long an update has waited for a restart', ['none', 'up_to_7d', 'over_7d']),
    outdatedApplicationCount: count('applications with a security update that is not installed'),
    firewallEnabled: flag('the host firewall is on for every network'),
    inboundRuleCount: count('exceptions that let connections in'),
    removableMediaPolicy: band('what removable media may do', [
      'blocked',
      'read_only',
      'encrypted_only',
      'allowed',
    ]),
    removableMediaUseBand: band('uses of removable media in 30 days', ['none', '1_to_10', 'over_10']),
    autorunDisabled: flag('nothing starts by itself from removable media'),
    screenLockBand: band('idle time until the screen locks', ['up_to_5m', '6m_to_15m', 'over_15m', 'never']),
    dailyUserIsAdmin: flag('daily work is done with administrator rights'),
    localAdminCount: count('local accounts with administrator rights'),
  },
  example: {
    deviceCount: 1,
    diskEncryptionEnabled: true,
    secureBootEnabled: true,
    edrStatus: 'running',
    edrDefinitionAgeBand: 'under_24h',
    patchAgeBand: '8d_to_30d',
    outdatedApplicationCount: 3,
    firewallEnabled: true,
    removableMediaPolicy: 'encrypted_only',
    screenLockBand: '6m_to_15m',
    dailyUserIsAdmin: false,
  },
});
