import { iso } from '../../lib/clock.ts';
import type { Fault } from '../../lib/fault.ts';
import { bareHost } from '../../lib/socket-address.ts';
import { type Certificate, judgeCertificate } from '../../settings/certificate.ts';
import { type Config, ConfigRefused, isLoopback } from '../../settings/config.ts';
import type { SecurityTxt } from '../../settings/security-txt.ts';
import type { SettingChanges } from '../../settings/setting-changes.ts';
import { type Finding, failure, warning } from './finding.ts';

export interface SettingsFacts {
  /** Of settings and of the files that they name. */
  readonly faults: readonly Fault[];
  /** Settings that trust every address as a proxy. */
  readonly openProxies: readonly string[];
  /** Names that are not settings. */
  readonly unknown: readonly string[];
  readonly certificate: Certificate | undefined;
  /** Of the admin API. */
  readonly adminCertificate: Certificate | undefined;
  readonly securityTxt: SecurityTxt | undefined;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

/** Checks the settings and the files that they name. */
export function judgeSettings(facts: SettingsFacts): Finding[] {
  const { faults, unknown, certificate, adminCertificate, securityTxt, now } = facts;
  const findings = faults.map((fault) =>
    fault instanceof ConfigRefused
      ? failure('setting-refused', fault.message, 'correct it: "redoubt config --help" lists the settings')
      : failure('setting-file', fault.message, 'correct the file, or name another'),
  );
  for (const name of unknown)
    findings.push(
      warning('setting-unknown', `unknown setting ${name} is ignored`, 'correct its name, or remove it'),
    );
  for (const name of facts.openProxies)
    findings.push(
      warning(
        'proxies-everybody',
        `${name} trusts every address: callers choose the address that limits and lockouts use`,
        'list only the addresses of your proxies',
      ),
    );
  findings.push(...judgeAge('public', certificate, now), ...judgeAge('admin', adminCertificate, now));
  const { expiresAt } = securityTxt ?? {};
  if (expiresAt !== undefined && expiresAt <= now) {
    const what = `the security.txt expired at ${iso(expiresAt)}`;
    findings.push(warning('security-txt', what, 'set a later time in its field Expires'));
  }
  return findings;
}

/** Asks for a contact where SERVICE_BASE_URL is an address for others than this host. Settings without one are valid. */
export function judgeContact({ baseUrl, securityTxt, securityContact }: Config): Finding[] {
  const isPublic = baseUrl !== undefined && !isLoopback(bareHost(new URL(baseUrl).hostname));
  if (!isPublic || securityTxt !== undefined || securityContact !== undefined) return [];
  return [
    warning(
      'security-contact',
      'people who find a vulnerability of this service cannot see how to report it',
      'set SERVICE_SECURITY_CONTACT to a mail address or URL, for /.well-known/security.txt',
    ),
  ];
}

function judgeAge(
  listener: 'public' | 'admin',
  certificate: Certificate | undefined,
  now: number,
): Finding[] {
  if (certificate === undefined) return [];
  const { problems, warnings } = judgeCertificate(certificate, now);
  const [id, of] = listener === 'public' ? ['certificate', ''] : ['admin-certificate', ' (admin API)'];
  const validity = `valid from ${iso(certificate.startsAt)} to ${iso(certificate.endsAt)}`;
  // Tenants are served without the admin API.
  const grave = problems.length > 0 && listener === 'public' ? failure : warning;
  return [...problems, ...warnings].map((words) =>
    grave(id, `${words}${of} (${validity})`, 'renew it, then reload the service'),
  );
}

/** Finds settings that a running server has not applied. */
export function judgeChanges({ reload, restart }: SettingChanges): Finding[] {
  const findings: Finding[] = [];
  const orElse = 'or set SERVICE_CONFIG for this command as for the server';
  if (reload.length > 0) {
    const what = `the running server has not applied ${reload.join(', ')}`;
    findings.push(warning('reload-needed', what, `redoubt reload, ${orElse}`));
  }
  if (restart.length > 0) {
    const what = `the running server must be restarted for ${restart.join(', ')}`;
    findings.push(warning('restart-needed', what, `restart it at a convenient time, ${orElse}`));
  }
  return findings;
}
