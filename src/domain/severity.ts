/** From least to most severe. */
export const SEVERITIES = ['info', 'low', 'medium', 'high', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

/**
 * What a kind of attack usually means for a site, by words of its name, most severe first.
 * After the impact classes of OWASP's Top 10 and MITRE ATT&CK's tactics: running code and stealing
 * data above getting in, getting in above looking around.
 */
const WORDS: readonly (readonly [Severity, readonly string[]])[] = [
  [
    'critical',
    ['rce', 'webshell', 'backdoor', 'malware', 'ransomware', 'exfiltration', 'deserialization', 'decoy'],
  ],
  [
    'high',
    ['sqli', 'sql', 'injection', 'xxe', 'ssrf', 'lfi', 'rfi', 'traversal', 'upload', 'takeover', 'exploit'],
  ],
  [
    'medium',
    ['xss', 'csrf', 'brute', 'force', 'bruteforce', 'stuffing', 'login', 'attack', 'enumeration', 'ddos'],
  ],
  ['low', ['scan', 'scanner', 'probe', 'recon', 'crawler', 'bot', 'spam', 'update', 'outdated']],
  ['info', ['heartbeat', 'info', 'started', 'stopped', 'activated', 'deactivated']],
];

const DEFAULT_SEVERITY: Severity = 'medium';

/** The severity of an event or threat whose sender named none, from the words of its type. */
export function severityByType(type: string): Severity {
  const words = type.toLowerCase().split(/[_-]/);
  const match = WORDS.find(([, names]) => words.some((word) => names.includes(word)));
  return match?.[0] ?? DEFAULT_SEVERITY;
}
