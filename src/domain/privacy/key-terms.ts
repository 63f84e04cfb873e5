/** A group of key terms that a route refuses under one rule. */
export interface TermGroup {
  readonly id: string;
  readonly matches: string;
  readonly source: string;
  /** Words in the singular, separated by one space; the plural of the last word is refused with it. */
  readonly terms: readonly string[];
}

const POSTURE = 'service-api-v1.md 2.10: the validator rejects PII, secrets and content';

/** Who somebody is, and how to reach them. */
export const PERSON: TermGroup = {
  id: 'key.person',
  matches: 'names, accounts, contact data and civil identity of a person',
  source: `${POSTURE}; NIST SP 800-122, 2.2 (examples of PII)`,
  terms: [
    'pii',
    'personal data',
    'personal information',
    'email',
    'e mail',
    'mail address',
    'mailbox',
    'phone',
    'telephone',
    'mobile number',
    'cell number',
    'fax',
    'msisdn',
    'user name',
    'username',
    'user login',
    'user id',
    'userid',
    'user identifier',
    'login name',
    'login id',
    'account name',
    'account id',
    'employee id',
    'customer id',
    'customer name',
    'owner name',
    'contact name',
    'first name',
    'last name',
    'full name',
    'middle name',
    'given name',
    'family name',
    'maiden name',
    'display name',
    'real name',
    'surname',
    'nickname',
    'person',
    'postal address',
    'home address',
    'mailing address',
    'billing address',
    'shipping address',
    'street',
    'street address',
    'zip code',
    'postcode',
    'postal code',
    'birthday',
    'birth day',
    'birth date',
    'birthdate',
    'birthplace',
    'date of birth',
    'dob',
    'ssn',
    'social security',
    'passport',
    'national id',
    'tax id',
    'driver license',
    'drivers license',
    'gender',
    'ethnicity',
    'religion',
    'nationality',
    'medical record',
    'health record',
    'avatar',
  ],
};

/** Means of payment. */
export const PAYMENT: TermGroup = {
  id: 'key.payment',
  matches: 'card and bank account data',
  source: 'PCI DSS 4.0, requirement 3 (account data); NIST SP 800-122, 2.2',
  terms: [
    'credit card',
    'debit card',
    'card number',
    'card holder',
    'cardholder',
    'cvv',
    'cvc',
    'iban',
    'bank account',
    'account number',
    'routing number',
    'sort code',
  ],
};

/** What tells one machine or one connection from another. */
export const MACHINE: TermGroup = {
  id: 'key.machine',
  matches: 'addresses, host names, URLs and hardware identifiers',
  source: 'service-api-v1.md 2.10 (IPs), 2.12 (IP and User-Agent); NIST SP 800-122, 2.2 (asset information)',
  terms: [
    'ip',
    'ipv',
    'ip address',
    'ip addr',
    'mac address',
    'mac addr',
    'hardware address',
    'client address',
    'remote address',
    'remote addr',
    'forwarded for',
    'host name',
    'hostname',
    'fqdn',
    'domain name',
    'computer name',
    'machine name',
    'device name',
    'device id',
    'device identifier',
    'serial number',
    'imei',
    'imsi',
    'iccid',
    'udid',
    'idfa',
    'advertising id',
    'ssid',
    'bssid',
    'url',
    'uri',
    'referer',
    'referrer',
    'user agent',
    'useragent',
  ],
};

/** Where somebody is. */
export const PLACE: TermGroup = {
  id: 'key.place',
  matches: 'geolocation',
  source: 'service-api-v1.md 2.12 (geolocation); NIST SP 800-122, 2.2',
  terms: [
    'geo',
    'geolocation',
    'location',
    'gps',
    'latitude',
    'longitude',
    'lat',
    'lng',
    'lon',
    'coordinate',
    'city',
  ],
};

/** What opens a door. */
export const CREDENTIAL: TermGroup = {
  id: 'key.credential',
  matches: 'passwords, tokens, keys, cookies and other secrets',
  source: `${POSTURE}, tokens and passwords; detect-secrets, plugins/keyword.py; gitleaks, generic-api-key`,
  terms: [
    'password',
    'pass word',
    'passwd',
    'passphrase',
    'pass phrase',
    'passcode',
    'pwd',
    'pin code',
    'secret',
    'credential',
    'cred',
    'token',
    'api key',
    'apikey',
    'access key',
    'private key',
    'secret key',
    'signing key',
    'license key',
    'ssh key',
    'session key',
    'session id',
    'session identifier',
    'cookie',
    'jwt',
    'bearer',
    'authorization',
    'auth header',
    'otp',
    'totp',
    'mnemonic',
    'seed phrase',
    'recovery code',
    'backup code',
    'connection string',
    'dsn',
    'pem',
    'htpasswd',
    'csrf',
  ],
};

/** What was said, written or run. */
export const CONTENT: TermGroup = {
  id: 'key.content',
  matches: 'payloads, messages, source code, environment values and other content',
  source: `${POSTURE}; 2.10 (cloud immunity: source code, environment values), 2.12 (raw payload)`,
  terms: [
    'content',
    'payload',
    'raw',
    'body',
    'snippet',
    'excerpt',
    'transcript',
    'plaintext',
    'plain text',
    'cleartext',
    'clear text',
    'text',
    'message',
    'comment',
    'note',
    'source code',
    'source line',
    'html',
    'stack trace',
    'stacktrace',
    'dump',
    'environment variable',
    'environment value',
    'env',
    'command line',
    'cmdline',
    'query string',
    'attachment',
    'log line',
    'log entry',
    'log message',
  ],
};

/** Where something lies on a disk. */
export const PATH: TermGroup = {
  id: 'key.path',
  matches: 'paths and names of files',
  source: 'service-api-v1.md 2.11: any path or content-like key name is rejected',
  terms: ['path', 'pathname', 'filename', 'file name', 'filepath', 'directory name', 'folder name'],
};

/** Server Guard's own list. */
export const SERVER_LOG: TermGroup = {
  id: 'key.log',
  matches: 'raw logs',
  source: 'service-api-v1.md 2.10: Server Guard additionally rejects raw logs and file contents',
  terms: ['log', 'syslog', 'journal', 'log file', 'file data', 'file body'],
};

/** PC Guard's own list. */
export const DESKTOP: TermGroup = {
  id: 'key.desktop',
  matches: 'screenshots, keystrokes, clipboard, browsing, biometrics and personal files',
  source: 'service-api-v1.md 2.10: PC Guard additionally rejects',
  terms: [
    'screenshot',
    'screen shot',
    'screen capture',
    'screen recording',
    'keystroke',
    'key stroke',
    'key log',
    'keylog',
    'keypress',
    'key press',
    'clipboard',
    'browser history',
    'browsing history',
    'search history',
    'history',
    'bookmark',
    'biometric',
    'fingerprint',
    'face',
    'iris',
    'retina',
    'voiceprint',
    'voice',
    'webcam',
    'personal file',
    'personal document',
    'document',
    'photo',
    'file',
  ],
};

/** Key hygiene: whatever could name or describe one single key. */
export const KEY_DETAIL: TermGroup = {
  id: 'key.key-detail',
  matches: 'name, material, fingerprint or free text of one single key',
  source:
    'service-api-v1.md 2.11: any key name that looks like a secret is rejected; no free-text per-key field',
  terms: [
    'key value',
    'key material',
    'key name',
    'key id',
    'key alias',
    'key hash',
    'key data',
    'material',
    'name',
    'alias',
    'label',
    'description',
    'arn',
    'fingerprint',
    'thumbprint',
    'prefix',
    'suffix',
    'owner',
  ],
};

/** Restore: whatever could name or hold one single file. */
export const FILE_DETAIL: TermGroup = {
  id: 'key.file-detail',
  matches: 'single files and directories',
  source: 'service-api-v1.md 2.11: any path or content-like key name is rejected',
  terms: ['file', 'directory', 'folder', 'drive', 'volume', 'file data', 'name', 'sample', 'blob'],
};

/** Decoy trip and threat report: what an attack brought along. */
export const ATTACK_DETAIL: TermGroup = {
  id: 'key.attack-detail',
  matches: 'headers, exfiltrated data and requests of an attack',
  source: 'service-api-v1.md 2.12: hard-rejected on the decoy trip, raw-payload keys on the threat report',
  terms: [
    'header',
    'exfiltrated',
    'exfiltration',
    'stolen',
    'loot',
    'data',
    'request',
    'response',
    'query',
    'file',
  ],
};

/** What every route refuses. */
export const EVERYWHERE: readonly TermGroup[] = [PERSON, PAYMENT, MACHINE, PLACE, CREDENTIAL, CONTENT, PATH];

/** What single routes refuse besides. */
export const ON_SOME_ROUTES: readonly TermGroup[] = [
  SERVER_LOG,
  DESKTOP,
  KEY_DETAIL,
  FILE_DETAIL,
  ATTACK_DETAIL,
];

/** Terms and their plurals, each with its rule. The first group that has a term gives the rule. */
export function compileTerms(groups: readonly TermGroup[]): ReadonlyMap<string, string> {
  const compiled = new Map<string, string>();
  for (const group of groups) {
    for (const term of group.terms) {
      for (const form of [term, plural(term)]) if (!compiled.has(form)) compiled.set(form, group.id);
    }
  }
  return compiled;
}

function plural(term: string): string {
  if (/[^aeiou]y$/.test(term)) return `${term.slice(0, -1)}ies`;
  return /(?:s|x|ch|sh)$/.test(term) ? `${term}es` : `${term}s`;
}
