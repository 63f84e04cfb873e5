import { cloudImmunityPolicy } from '../domain/privacy/policies.ts';
import { KIB } from '../http/context.ts';
import { count, ratio } from './kit/fields.ts';
import { postureSignal } from './kit/posture.ts';

/** How a cloud application is set up, in counts and ratios only. */
export const cloudImmunity = postureSignal({
  name: 'CloudImmunitySignal',
  path: '/cloud-immunity/signal',
  summary: 'Report the posture of a cloud application',
  description: 'Counts and ratios only. A new signal stands in the place of the earlier one.',
  capBytes: 16 * KIB,
  privacy: cloudImmunityPolicy,
  codes: { shape: 'INVALID_SIGNAL_SCHEMA', privacy: 'WRITE_REJECTED' },
  identity: 'appIdHash',
  persistence: 'replaced',
  vocabulary: {
    resourceCount: count('resources looked at'),
    publicStorageCount: count('storage buckets or shares that anybody can read'),
    exposedPortCount: count('administrative or database ports open to the internet'),
    permissiveNetworkRuleCount: count('network rules that admit every address'),
    unencryptedVolumeCount: count('volumes and databases without encryption at rest'),
    orphanedIdentityCount: count('identities that no person or workload uses'),
    administratorIdentityCount: count('identities with administrator rights'),
    staleAccessKeyCount: count('access keys older than 90 days'),
    crossAccountRoleCount: count('roles that another account can assume'),
    unpatchedInstanceCount: count('instances or images with a critical vulnerability'),
    endOfLifeRuntimeCount: count('functions and services on a runtime without support'),
    criticalFindingCount: count('open critical findings of the posture scanner'),
    configurationDriftCount: count('resources that differ from their definition'),
    mfaCoverageRatio: ratio('people with multi-factor authentication'),
    leastPrivilegeRatio: ratio('identities that hold no right unused for 90 days'),
    encryptedVolumeRatio: ratio('volumes and databases encrypted at rest'),
    privateEndpointRatio: ratio('services reachable only from private networks'),
    auditLoggingRatio: ratio('accounts and services whose calls are logged'),
    backupCoverageRatio: ratio('data stores with a current backup'),
    scannedImageRatio: ratio('deployed images that were scanned'),
    definedInCodeRatio: ratio('resources that infrastructure as code defines'),
  },
  example: {
    resourceCount: 212,
    publicStorageCount: 0,
    exposedPortCount: 1,
    permissiveNetworkRuleCount: 2,
    unencryptedVolumeCount: 3,
    orphanedIdentityCount: 4,
    staleAccessKeyCount: 2,
    criticalFindingCount: 1,
    mfaCoverageRatio: 0.97,
    leastPrivilegeRatio: 0.6,
    auditLoggingRatio: 1,
    backupCoverageRatio: 0.9,
  },
});
