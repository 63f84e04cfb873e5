/** The name of a plan, a state or another single word, as a title. */
export const titled = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

const SHORT: Readonly<Record<string, string>> = {
  ...{ ai: 'AI', csrf: 'CSRF', dos: 'DoS', jndi: 'JNDI', ldap: 'LDAP', nosql: 'NoSQL', pc: 'PC' },
  ...{ saas: 'SaaS', sql: 'SQL', ssrf: 'SSRF', xml: 'XML', xpath: 'XPath', xss: 'XSS' },
};

/** An identifier such as `malware_scan` as words. */
export const worded = (identifier: string): string =>
  titled(
    identifier
      .split(/[_/-]+/)
      .filter((word) => word !== '')
      .map((word) => SHORT[word] ?? word)
      .join(' '),
  );
