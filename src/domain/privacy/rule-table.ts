import { EVERYWHERE, ON_SOME_ROUTES } from './key-terms.ts';
import { TOKEN_FORMATS, TOKEN_SHAPES } from './provider-tokens.ts';

/** A rule that a violation can name. */
export interface Rule {
  readonly id: string;
  readonly matches: string;
  /** Where the facts come from. */
  readonly source: string;
}

const STRUCTURE_RULES: readonly Rule[] = [
  {
    id: 'body.too-deep',
    matches: 'more than 64 levels',
    source: 'a body of more than 32 levels is malformed',
  },
  {
    id: 'key.too-long',
    matches: 'a key of over 64 characters',
    source: 'no field of the contract is that long',
  },
  {
    id: 'body.unfolded',
    matches: 'over 1,000 characters made of fewer than a quarter as many',
    source: 'UAX 15 (one character can unfold to eighteen); no value of the contract has any that do',
  },
  {
    id: 'key.script',
    matches: 'a key with a letter outside ASCII, accents apart',
    source: 'UTS 39, 4 (confusables); every field of the contract is ASCII',
  },
];

const TEXT_RULES: readonly Rule[] = [
  {
    id: 'value.email',
    matches: 'e-mail addresses and account@host',
    source: 'RFC 5322, 3.4.1; RFC 6531 (not only ASCII)',
  },
  {
    id: 'value.ipv4',
    matches: 'IPv4 addresses: decimal, octal, hexadecimal, shortened, hyphenated, defanged',
    source:
      'RFC 791; POSIX inet_addr (the spellings); Amazon EC2 host names; detect-secrets plugins/ip_public.py',
  },
  {
    id: 'value.ipv6',
    matches: 'IPv6 addresses: full, compressed, mapped',
    source: 'RFC 4291, 2.2; RFC 5952',
  },
  {
    id: 'value.mac',
    matches: 'MAC addresses: EUI-48, EUI-64, dotted',
    source: 'IEEE 802, 8.1 (hexadecimal representation); Cisco IOS (dotted form)',
  },
  {
    id: 'value.phone',
    matches:
      'telephone numbers: international, North American, national with a trunk 0 or in national groups',
    source: 'ITU-T E.164, 6 (length, country code); E.123 (notation); NANPA numbering plan',
  },
  {
    id: 'value.card',
    matches: 'payment card numbers of the known networks with a valid check digit',
    source: 'ISO/IEC 7812-1, annex B (Luhn) and the issuer ranges of the networks',
  },
  {
    id: 'value.ssn',
    matches: 'United States social security numbers, in groups',
    source: 'Social Security Administration: SSN randomization (areas, groups and serials never issued)',
  },
  {
    id: 'value.iban',
    matches: 'IBANs of a known country and length with valid check digits',
    source: 'ISO 13616; SWIFT IBAN registry; ISO 7064 (mod 97-10)',
  },
  {
    id: 'value.long-number',
    matches: 'numbers over 2^53 and strings of 20 digits and more',
    source: 'no measurement of the contract is that large; longer numbers hide cards and identifiers',
  },
  {
    id: 'value.jwt',
    matches: 'JWS and JWE in compact form',
    source: 'RFC 7515, 3.1; RFC 7516, 3.1; gitleaks: jwt',
  },
  {
    id: 'value.pem',
    matches: 'PEM, PGP and SSH2 blocks, PuTTY keys',
    source: 'RFC 7468; RFC 4716; gitleaks: private-key; detect-secrets plugins/private_key.py',
  },
  {
    id: 'value.ssh-key',
    matches: 'SSH keys by the first bytes of their blob',
    source: 'RFC 4253, 6.6; OpenSSH PROTOCOL.key, PROTOCOL.u2f',
  },
  {
    id: 'value.connection-string',
    matches: 'URLs of databases, queues, mail, file, desktop and directory services; ODBC and libpq strings',
    source: 'trufflehog pkg/detectors: jdbc, mongodb, postgres, redis, ftp, ldap; IANA URI schemes',
  },
  {
    id: 'value.url-login',
    matches: 'URLs with userinfo',
    source: 'RFC 3986, 3.2.1; detect-secrets plugins/basic_auth.py; trufflehog pkg/detectors/uri',
  },
  {
    id: 'value.named-secret',
    matches: 'a secret beside its name, an Authorization header',
    source:
      'detect-secrets plugins/keyword.py, azure_storage_key.py; gitleaks: generic-api-key, curl-auth-header',
  },
  {
    id: 'value.path',
    matches: 'absolute paths of Unix, any path of Windows, UNC paths, DOMAIN\\user, file URLs, ways up',
    source: 'POSIX.1-2024, 4.16; Microsoft: Naming Files, Paths, and Namespaces',
  },
  {
    id: 'value.file-name',
    matches: 'relative paths and file names (restore only)',
    source: 'contract of key hygiene: any path or content-like value shape is rejected',
  },
  {
    id: 'value.content',
    matches: 'several lines, more than five words, markup, code, statements of SQL (restore only)',
    source: 'contract of key hygiene: any path or content-like value shape is rejected',
  },
  { id: 'value.uuid', matches: 'UUIDs', source: 'RFC 9562, 4' },
  {
    id: 'value.random',
    matches: 'long runs of high entropy that are not made of words',
    source:
      'detect-secrets plugins/high_entropy_strings.py (alphabets, 3.0 for hex); gitleaks: generic-api-key (3.5)',
  },
];

/** Every rule of the gate: what it matches and the source of its facts. */
export const RULES: readonly Rule[] = [
  ...STRUCTURE_RULES,
  ...EVERYWHERE,
  ...ON_SOME_ROUTES,
  ...TEXT_RULES,
  ...TOKEN_FORMATS,
  ...TOKEN_SHAPES,
].map(({ id, matches, source }) => ({ id, matches, source }));
