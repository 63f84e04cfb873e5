import fc from 'fast-check';
import type { PrivacyPolicy } from '../../../src/domain/privacy/gate.ts';
import {
  cloudImmunityPolicy,
  decoyTripPolicy,
  digitalImmunityPolicy,
  keyHygienePolicy,
  pcGuardPolicy,
  restorePolicy,
  saasPolicy,
  serverGuardPolicy,
  threatReportPolicy,
} from '../../../src/domain/privacy/policies.ts';
import { base64 } from './forbidden.ts';

const count = fc.oneof(fc.nat(500), fc.nat(999_999_999));
const ratio = fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, 1, 1 / 3));
const flag = fc.boolean();
const band = fc.constantFrom(
  'none',
  'low',
  'medium',
  'high',
  'critical',
  '0_7d',
  '30-90d',
  'over_365_days',
  '1000000-9999999',
  'UNKNOWN',
  'within_last_24_hours',
  'customer_managed_hardware_module',
  'aes_256_gcm_customer_managed',
  'n/a',
  'lt_1h',
  '>=95',
  'tls1.3',
  '2026-Q1',
);
const relaxedBand = band.filter((token) => token !== 'n/a' && token !== 'tls1.3');

/** A SHA-256 in hex or base64url, or any token that the pattern of the contract admits. */
export const hashToken = fc.oneof(
  fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => bytes.toHex()),
  fc
    .uint8Array({ minLength: 32, maxLength: 32 })
    .map((bytes) => base64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')),
  fc.stringMatching(/^[A-Za-z0-9_-]{1,40}$/),
);

const timestamp = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .chain((date) =>
    fc.constantFrom(
      date.toISOString(),
      date.toISOString().replace(/\.\d+Z$/, 'Z'),
      date.toISOString().replace('Z', '+02:00'),
    ),
  );

const version = fc.tuple(fc.nat(99), fc.nat(99), fc.nat(9999)).chain(([major, minor, patch]) => {
  const core = `${major}.${minor}.${patch}`;
  return fc.constantFrom(
    core,
    `v${core}`,
    `${core}-beta.2`,
    `${core}+20260116`,
    `${core}-rc.1+build.5114f85`,
    `10.0.19041.${patch + 256}`,
  );
});

const head = {
  piiIncluded: fc.constant(false),
  contentIncluded: fc.constant(false),
  secretsIncluded: fc.constant(false),
  agentVersion: version,
  collectedAt: timestamp,
};

const fields = (names: string, value: fc.Arbitrary<unknown>): Record<string, fc.Arbitrary<unknown>> =>
  Object.fromEntries(names.split(' ').map((name) => [name, value]));

const body = (...groups: Record<string, fc.Arbitrary<unknown>>[]): fc.Arbitrary<object> =>
  fc.record(Object.assign({}, head, ...groups));

/** A route's policy and typical bodies of its clients, of about 25 fields for the posture groups. */
export const VALID_BODIES: readonly (readonly [PrivacyPolicy, fc.Arbitrary<object>])[] = [
  [
    digitalImmunityPolicy,
    body(
      fields(
        'criticalPatchesMissingCount exposedServiceCount openFindingCount monitoredAssetCount cveOlderThan30DaysCount',
        count,
      ),
      fields(
        'patchCoverageRatio mfaCoverageRatio backupCoverageRatio passwordManagerCoverage emailSecurityScore',
        ratio,
      ),
      fields(
        'mfaEnforced backupsEncrypted restoreTested alertingEnabled passwordlessAvailable secretScanningEnabled',
        flag,
      ),
      fields('patchAgeBand backupAgeBand exposureLevel monitoringMaturity passwordPolicy', band),
      fields('siteIdHash', hashToken),
    ),
  ],
  [
    saasPolicy,
    body(
      fields('connectorKind tenantSizeBand sessionTimeoutBand tokenLifetimeBucket adminReviewBand', band),
      fields(
        'oauthGrantCount highRiskGrantCount dormantAccountCount externalShareCount guestAccountCount unusedTokenCount',
        count,
      ),
      fields('adminRatio mfaCoverageRatio dormantAccountRatio publicLinkRatio emailForwardingRatio', ratio),
      fields('ssoEnforced auditLogEnabled scimEnabled apiKeyRotationEnabled legacyAuthBlocked', flag),
      fields('licenseIdHash', hashToken),
    ),
  ],
  [
    serverGuardPolicy,
    body(
      fields(
        'listeningServiceCount publicServiceCount modifiedFileCount sudoersCount kernelAgeDays failedLoginCount',
        count,
      ),
      fields('packageFreshnessRatio privilegedProcessRatio logCoverage', ratio),
      fields(
        'rootLoginDisabled passwordAuthenticationDisabled firewallEnabled ipForwardingEnabled logForwardingEnabled',
        flag,
      ),
      fields('failedLoginBand kernelAgeBand packageAgeBand fileIntegrityState privilegeUseBand', band),
      { services: fc.array(fc.record({ serviceClass: band, exposed: flag, count }), { maxLength: 4 }) },
    ),
  ],
  [
    pcGuardPolicy,
    body(
      fields(
        'outdatedApplicationCount usbDeviceCount patchAgeDays browserExtensionCount screenshotBlockedCount',
        count,
      ),
      fields('edrCoverageRatio encryptedVolumeRatio', ratio),
      fields(
        'diskEncryptionEnabled firewallEnabled edrRunning removableMediaBlocked clipboardSharingEnabled biometricLoginEnabled cookieIsolationEnabled',
        flag,
      ),
      fields('patchAgeBand screenLockBand removableMediaPolicy edrStatus browserHistoryPolicy', band),
    ),
  ],
  [
    cloudImmunityPolicy,
    body(
      fields(
        'publicBucketCount unusedSecretCount exposedPortCount orphanedIdentityCount accessKeyCount crossAccountRoleCount',
        count,
      ),
      fields(
        'encryptedVolumeRatio mfaCoverageRatio publicIpRatio rotatedSecretRatio loggingCoverage leastPrivilegeRatio',
        ratio,
      ),
      fields('appIdHash', hashToken),
    ),
  ],
  [
    keyHygienePolicy,
    body({
      keys: fc.array(
        fc.record({
          kind: fc.constantFrom('api_token', 'ssh', 'tls_private', 'signing', 'oauth_client_secret'),
          ...fields('ageBucket rotationPolicy scopeBreadth lastUseBucket storageClass', band),
          publiclyExposed: flag,
          count,
        }),
        { maxLength: 12 },
      ),
    }),
  ],
  [
    restorePolicy,
    fc.record({
      ...head,
      ...fields('backupAgeBucket integrityCheck knownInfectedOverlap', relaxedBand),
      siteIdHash: hashToken,
      fileCounts: fc.dictionary(
        fc.constantFrom('core', 'plugin', 'theme', 'upload', 'database', 'configuration', 'other'),
        fc.record({ clean: count, suspicious: count, infected: count }),
        { noNullPrototype: true },
      ),
    }),
  ],
  [
    decoyTripPolicy,
    body(
      fields(
        'decoyKind accessVector behaviorClass',
        fc.constantFrom('fake_credential_file', 'api_token', 'lateral_movement', 'web'),
      ),
      { tripCount: count, payloadHash: hashToken },
    ),
  ],
  [
    threatReportPolicy,
    fc.record({
      ...fields(
        'attackType behaviorClass',
        fc.constantFrom('sql_injection', 'credential_stuffing', 'path_traversal', 'xss'),
      ),
      ...fields('payloadHash siteIdHash licenseIdHash', hashToken),
    }),
  ],
];
