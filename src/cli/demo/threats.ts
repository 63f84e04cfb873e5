import { fingerprintOf } from '../../domain/threat/fingerprint.ts';
import { DAY_MS, HOUR_MS } from '../../lib/clock.ts';
import type { Job } from '../../storage/engine/jobs/jobs.ts';

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
const THREATS = 42;
/** Of these, the last ones, which operators keep out of the feed. */
const RULED = ['withdrawn', 'allowed'] as const;
/** As many customers as a threat needs at least, to be published. */
const REPORTERS_MIN = 3;
/** Within the window of the feed. */
const REPORT_DAYS = 9;

const threats = () =>
  Array.from({ length: THREATS }, (_, index) => {
    const attackType = ATTACKS[index % ATTACKS.length] ?? ATTACKS[0];
    const behaviorClass = BEHAVIORS[index % BEHAVIORS.length] ?? BEHAVIORS[0];
    const payloadHash = `demo-payload-${index + 1}`;
    return { attackType, fingerprint: fingerprintOf({ attackType, behaviorClass, payloadHash }) };
  });

/** Reports of threats, each by three to six licenses, and the rulings of operators about two of them. */
export const demoThreats = (licenseIds: readonly number[], now: number): Job[] => [
  ...threats().flatMap((threat, index) =>
    licenseIds.slice(0, REPORTERS_MIN + (index % 4)).map((licenseId, at): Job => {
      const daysAgo = (index * 7 + at * 3) % REPORT_DAYS;
      const input = { ...threat, licenseId, now: now - daysAgo * DAY_MS - index * HOUR_MS };
      return { name: 'recordThreatReport', input };
    }),
  ),
  ...threats()
    .slice(-RULED.length)
    .map(({ fingerprint }, at): Job => {
      const ruling = RULED[at] ?? RULED[0];
      return { name: 'ruleOnThreat', input: { fingerprint, ruling, now: now - (at + 1) * DAY_MS } };
    }),
];
