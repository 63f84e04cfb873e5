import { cloudImmunityPolicy } from '../domain/privacy/policies.ts';
import { KIB } from '../http/context.ts';
import { count, ratio } from './kit/fields.ts';
import { postureSignal } from './kit/posture.ts';

/** The posture of a cloud application, in counts and ratios only. */
export const cloudImmunity = postureSignal({
  name: 'CloudImmunitySignal',
  path: '/cloud-immunity/signal',
  summary: 'Report the posture of a cloud application',
  description: 'Counts and ratios only. A new signal replaces the previous one.',
  capBytes: 16 * KIB,
  privacy: cloudImmunityPolicy,
  codes: { shape: 'INVALID_SIGNAL_SCHEMA', privacy: 'WRITE_REJECTED' },
  identity: 'appIdHash',
  persistence: 'replaced',
  vocabulary: {
    resourceCount: count('resources checked'),
    publicStorageCount: count('publicly readable storage buckets or shares'),
    exposedPortCount: count('administrative or database ports open to the internet'),
    permissiveNetworkRuleCount: count('network rules that allow every address'),
    unencryptedVolumeCount: count('volumes and databases not encrypted at rest'),
    orphanedIdentityCount: count('identities not used by any person or workload'),
    administratorIdentityCount: count('identities with administrator rights'),
    staleAccessKeyCount: count('access keys older than 90 days'),
    crossAccountRoleCount: count('roles that another account can assume'),
    unpatchedInstanceCount: count('instances or images with a critical vulnerability'),
    endOfLifeRuntimeCount: count('functions and services on an unsupported runtime'),
    criticalFindingCount: count('open critical findings of the posture scanner'),
    configurationDriftCount: count('resources that have drifted from their definition'),
    mfaCoverageRatio: ratio('people with multi-factor authentication'),
    leastPrivilegeRatio: ratio('identities without permissions unused for 90 days'),
    encryptedVolumeRatio: ratio('volumes and databases encrypted at rest'),
    privateEndpointRatio: ratio('services reachable only from private networks'),
    auditLoggingRatio: ratio('accounts and services with audit logging'),
    backupCoverageRatio: ratio('data stores with a current backup'),
    scannedImageRatio: ratio('deployed images that were scanned'),
    definedInCodeRatio: ratio('resources defined in infrastructure as code'),
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
