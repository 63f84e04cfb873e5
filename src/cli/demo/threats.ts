import { fingerprintOf } from '../../domain/threat/fingerprint.ts';
import type { ThreatReport } from '../../storage/threats/threat-reports.ts';

const ATTACKS = [
  'login_bruteforce',
  'sql_injection',
  'webshell_upload',
  'xss',
  'vulnerability_scan',
  'remote_code_execution',
  'path_traversal',
  'credential_stuffing',
] as const;
const BEHAVIORS = ['automated_scanner', 'botnet', 'targeted'] as const;
const THREATS = 40;
/** As many customers as a threat needs at least, to be published. */
const REPORTERS_MIN = 3;

/** Reports of threats, each by three to six licenses. */
export function demoReports(licenseIds: readonly number[], now: number): ThreatReport[] {
  return Array.from({ length: THREATS }, (_, index) => {
    const attackType = ATTACKS[index % ATTACKS.length] ?? ATTACKS[0];
    const behaviorClass = BEHAVIORS[index % BEHAVIORS.length] ?? BEHAVIORS[0];
    const fingerprint = fingerprintOf({
      attackType,
      behaviorClass,
      payloadHash: `demo-payload-${index + 1}`,
    });
    return licenseIds
      .slice(0, REPORTERS_MIN + (index % 4))
      .map((licenseId) => ({ fingerprint, attackType, licenseId, now: now - index * 3_600_000 }));
  }).flat();
}
