import { Type as t } from '@sinclair/typebox';
import { serverGuardPolicy } from '../domain/privacy/policies.ts';
import { KIB } from '../http/context.ts';
import { closed } from '../http/contract/answers.ts';
import { band, count, flag } from './kit/fields.ts';
import { postureSignal } from './kit/posture.ts';

const SERVICE_CLASSES = {
  web: 'web servers and proxies',
  database: 'databases and caches',
  remote_access: 'remote shells and desktops',
  mail: 'mail transfer and retrieval',
  file_sharing: 'file shares and transfers',
  dns: 'name servers',
  container: 'container and cluster interfaces',
  other: 'everything else',
};

const PER_DAY = ['none', '1_to_10', '11_to_100', '101_to_1000', 'over_1000'] as const;

/** The security posture of a server. */
export const serverGuard = postureSignal({
  name: 'ServerGuardSignal',
  path: '/server-guard/signal',
  summary: 'Report the posture of a server',
  description:
    'Listening services by class, failed logins, kernel and package age, file integrity changes and privilege use.',
  capBytes: 16 * KIB,
  privacy: serverGuardPolicy,
  codes: { shape: 'SERVER_GUARD_INVALID_SIGNAL', privacy: 'SERVER_GUARD_PRIVACY_REJECTED' },
  identity: 'licenseIdHash',
  persistence: 'stored',
  vocabulary: {
    listeningServices: t.Optional(
      t.Object(
        Object.fromEntries(
          Object.entries(SERVICE_CLASSES).map(([name, meaning]) => [
            name,
            t.Optional(
              closed(
                {
                  count: count('listening services'),
                  publicCount: count('listening services reachable from the internet'),
                },
                meaning,
              ),
            ),
          ]),
        ),
        { additionalProperties: false, description: 'listening services by class' },
      ),
    ),
    failedLoginBand: band('failed logins in 24 hours', PER_DAY),
    failedLoginOriginBand: band('distinct origins of failed logins in 24 hours', PER_DAY),
    loginGuardEnabled: flag('whether origins of repeated failures are locked out'),
    rootLoginDisabled: flag('whether remote superuser login is disabled'),
    passwordAuthenticationDisabled: flag('whether remote logins require a key or a certificate'),
    firewallEnabled: flag('whether a host firewall drops all traffic that is not allowed'),
    kernelAgeBand: band('age of the running kernel', ['up_to_30d', '31d_to_90d', '91d_to_1y', 'over_1y']),
    rebootPending: flag('whether an installed kernel or library is waiting for a restart'),
    securityUpdateCount: count('packages with a missing security update'),
    packageAgeBand: band('age of the oldest missing security update', [
      'none',
      'up_to_7d',
      '8d_to_30d',
      '31d_to_90d',
      'over_90d',
    ]),
    distributionSupported: flag('whether the distribution still receives security updates'),
    fileIntegrityEnabled: flag('whether system files are monitored for changes'),
    unexpectedFileChangeCount: count('system file changes in 24 hours not explained by an update'),
    newPrivilegedBinaryCount: count('new set-user-id or set-group-id programs in 24 hours'),
    privilegedAccountCount: count('accounts that can become superuser'),
    privilegeUseBand: band('uses of superuser rights by people in 24 hours', PER_DAY),
    privilegeFailureBand: band('refused attempts to gain superuser rights in 24 hours', PER_DAY),
    mandatoryAccessControlEnforced: flag('whether SELinux, AppArmor or similar is enforcing'),
    logForwardingEnabled: flag('whether security events are also sent to another host'),
    timeSynchronised: flag('whether the clock is synchronized'),
  },
  example: {
    listeningServices: { web: { count: 2, publicCount: 2 }, database: { count: 1, publicCount: 0 } },
    failedLoginBand: '101_to_1000',
    rootLoginDisabled: true,
    passwordAuthenticationDisabled: true,
    firewallEnabled: true,
    kernelAgeBand: '31d_to_90d',
    securityUpdateCount: 4,
    packageAgeBand: 'up_to_7d',
    fileIntegrityEnabled: true,
    unexpectedFileChangeCount: 0,
    privilegedAccountCount: 3,
    privilegeUseBand: '1_to_10',
  },
});
