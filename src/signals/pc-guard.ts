import { pcGuardPolicy } from '../domain/privacy/policies.ts';
import { KIB } from '../http/context.ts';
import { band, count, flag, ratio } from './kit/fields.ts';
import { postureSignal } from './kit/posture.ts';

/** The protection of a PC or a group of PCs. */
export const pcGuard = postureSignal({
  name: 'PcGuardSignal',
  path: '/pc-guard/signal',
  summary: 'Report the posture of a PC or a group of PCs',
  description: 'Disk encryption, endpoint protection (EDR), patch age, firewall and removable media.',
  capBytes: 16 * KIB,
  privacy: pcGuardPolicy,
  codes: { shape: 'PC_GUARD_INVALID_SIGNAL', privacy: 'PC_GUARD_PRIVACY_REJECTED' },
  identity: 'licenseIdHash',
  persistence: 'stored',
  vocabulary: {
    deviceCount: count('PCs covered by this signal'),
    diskEncryptionEnabled: flag('whether the system disk is encrypted; for a group, whether all are'),
    encryptedVolumeRatio: ratio('encrypted volumes'),
    secureBootEnabled: flag('whether only signed boot code can run'),
    edrStatus: band('state of the endpoint protection', ['running', 'outdated', 'stopped', 'absent']),
    edrCoverageRatio: ratio('PCs with running endpoint protection'),
    edrDefinitionAgeBand: band('age of the detection rules', ['under_24h', '1d_to_7d', 'over_7d', 'unknown']),
    tamperProtectionEnabled: flag('whether users are prevented from turning the protection off'),
    detectionCount: count('detections in 30 days'),
    unresolvedDetectionCount: count('detections neither blocked nor cleaned'),
    patchAgeBand: band('age of the oldest missing operating system security update', [
      'none',
      'up_to_7d',
      '8d_to_30d',
      '31d_to_90d',
      'over_90d',
    ]),
    systemSupported: flag('whether the operating system still receives security updates'),
    rebootPendingBand: band('time that an update has been waiting for a restart', [
      'none',
      'up_to_7d',
      'over_7d',
    ]),
    outdatedApplicationCount: count('applications with a missing security update'),
    firewallEnabled: flag('whether the host firewall is enabled for all networks'),
    inboundRuleCount: count('firewall exceptions for inbound connections'),
    removableMediaPolicy: band('policy for removable media', [
      'blocked',
      'read_only',
      'encrypted_only',
      'allowed',
    ]),
    removableMediaUseBand: band('uses of removable media in 30 days', ['none', '1_to_10', 'over_10']),
    autorunDisabled: flag('whether autorun from removable media is disabled'),
    screenLockBand: band('idle time until the screen locks', ['up_to_5m', '6m_to_15m', 'over_15m', 'never']),
    dailyUserIsAdmin: flag('whether daily work is done with administrator rights'),
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
