import { capitalized } from '../lib/capitalized.ts';

const SHORT: Readonly<Record<string, string>> = {
  ai: 'AI',
  csrf: 'CSRF',
  dos: 'DoS',
  jndi: 'JNDI',
  ldap: 'LDAP',
  nosql: 'NoSQL',
  pc: 'PC',
  saas: 'SaaS',
  sql: 'SQL',
  ssrf: 'SSRF',
  xml: 'XML',
  xpath: 'XPath',
  xss: 'XSS',
};

/** Converts an identifier to words: `malware_scan` becomes `Malware scan`. */
export const worded = (identifier: string): string =>
  capitalized(
    identifier
      .split(/[_/-]+/)
      .filter((word) => word !== '')
      .map((word) => SHORT[word] ?? word)
      .join(' '),
  );
