import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { inspect, stripLegacyCallerFields } from '../../../src/domain/privacy/gate.ts';
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
import { TOKEN_FORMATS } from '../../../src/domain/privacy/provider-tokens.ts';
import { RULES } from '../../../src/domain/privacy/rule-table.ts';
import {
  BACKUP_AGE_BUCKETS,
  FILE_CLASSES,
  INTEGRITY_CHECKS,
  KNOWN_INFECTED_OVERLAPS,
} from '../../../src/domain/restore/vocabulary.ts';
import { ACCESS_VECTORS, DECOY_KINDS } from '../../../src/domain/threat/decoy.ts';
import { FORBIDDEN_TEXTS } from './forbidden.ts';
import { NEAR_MISSES } from './near-misses.ts';

const policies = {
  decoyTripPolicy,
  cloudImmunityPolicy,
  digitalImmunityPolicy,
  keyHygienePolicy,
  pcGuardPolicy,
  restorePolicy,
  saasPolicy,
  serverGuardPolicy,
  threatReportPolicy,
};

const SHA256_HEX = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const SHA256_BASE64URL = '47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU';

const ruleOf = (body: unknown, policy = digitalImmunityPolicy): string | undefined =>
  inspect(body, policy)?.rule;

describe("a measurement's key is accepted with a measured value", () => {
  test.each<[string, unknown]>([
    ['emailSecurityScore', 81],
    ['email_security_score', 0.5],
    ['EMAIL-SECURITY-SCORE', 1],
    ['emailsecurityscore', 1],
    ['passwordPolicy', 'nist_800_63b'],
    ['passwordPolicy', 'n/a'],
    ['secretRotationBand', '30-90d'],
    ['clipboardSharingEnabled', true],
    ['ipForwardingEnabled', 0],
    ['hasUserEmails', false],
    ['isPasswordReused', true],
    ['numberOfSecrets', 3],
    ['totalTokens', 12],
    ['cookieCounts', { session: 3, persistent: [1, 2] }],
    ['tokenLifetimeBucket', null],
    ['passwordlessRollout', 'partial'],
    ['description', 'none'],
    ['shippingState', 'on'],
    ['tokenizationRatio', 0.1],
  ])('%s: %p', (key, value) => expect(ruleOf({ [key]: value })).toBeUndefined());
});

describe('a key that names or contains forbidden content is refused', () => {
  test.each<[string, unknown, string]>([
    ['userEmail', 'x', 'key.person'],
    ['user_email', 1, 'key.person'],
    ['USEREMAIL', true, 'key.person'],
    ['useremails', [], 'key.person'],
    ['eMail', {}, 'key.person'],
    ['emailHash', SHA256_HEX.slice(0, 12), 'key.person'],
    ['emailSecurityScore', 'ann', 'key.person'],
    ['emailSecurityScore', true, 'key.person'],
    ['scoreOfEmail', 3, 'key.person'],
    ['emailCount', { list: ['ann'] }, 'key.person'],
    ['customerdateofbirth', null, 'key.person'],
    ['hasPassword', 1, 'key.credential'],
    ['passwordPolicy', 'correct horse battery staple', 'key.credential'],
    ['PaSsWoRd', 'x', 'key.credential'],
    ['p\u200bassword', 'x', 'key.credential'],
    ['ｐassword', 'x', 'key.credential'],
    ['pässwörd', 'x', 'key.credential'],
    ['p%61ssword', 'x', 'key.credential'],
    ['cGFzc3dvcmQ', 'x', 'key.credential'],
    ['apiKeys', [], 'key.credential'],
    ['sessionCookies', [], 'key.credential'],
    ['clientIPAddress', 'x', 'key.machine'],
    ['userIPs', [], 'key.machine'],
    ['ipv4', 'x', 'key.machine'],
    ['userAgent', 'x', 'key.machine'],
    ['lat', 52.5, 'key.place'],
    ['country', 'x', 'key.place'],
    ['host', 'x', 'key.machine'],
    ['srcIp', 'x', 'key.machine'],
    ['mac', 'x', 'key.machine'],
    ['tenantId', 'x', 'key.machine'],
    ['resourceArn', 'x', 'key.machine'],
    ['mailAddr', 'x', 'key.person'],
    ['uname', 'x', 'key.person'],
    ['login', 'x', 'key.person'],
    ['name', 'x', 'key.person'],
    ['tel', 'x', 'key.person'],
    ['homeAddr', 'x', 'key.person'],
    ['ccnum', 1, 'key.payment'],
    ['pass', 'x', 'key.credential'],
    ['pin', 1, 'key.credential'],
    ['privKey', 'x', 'key.credential'],
    ['PHPSESSID', 'x', 'key.credential'],
    ['envVars', {}, 'key.content'],
    ['msg', 'x', 'key.content'],
    ['sqlQuery', 'x', 'key.content'],
    ['p\u0430ssword', 'x', 'key.script'],
    ['пароль', 'x', 'key.script'],
    ['cardNumber', 1, 'key.payment'],
    ['rawLogs', [], 'key.content'],
    ['fileContents', 'x', 'key.content'],
    ['sourceCode', 'x', 'key.content'],
    ['environmentValues', {}, 'key.content'],
    ['filePath', 'x', 'key.path'],
    [`a${'b'.repeat(64)}`, 1, 'key.too-long'],
  ])('%s: %p', (key, value, rule) => expect(ruleOf({ [key]: value })).toBe(rule));
});

describe('a route refuses the additions of its own list', () => {
  test.each<[string, unknown, keyof typeof policies, string]>([
    ['auditLog', 'x', 'serverGuardPolicy', 'key.log'],
    ['shellHistory', 'x', 'serverGuardPolicy', 'key.log'],
    ['commands', [], 'serverGuardPolicy', 'key.log'],
    ['touchId', 'x', 'pcGuardPolicy', 'key.desktop'],
    ['keylogger', 'x', 'pcGuardPolicy', 'key.desktop'],
    ['screencap', 'x', 'pcGuardPolicy', 'key.desktop'],
    ['visitedSites', [], 'pcGuardPolicy', 'key.desktop'],
    ['audio', 'x', 'pcGuardPolicy', 'key.desktop'],
    ['value', 'x', 'keyHygienePolicy', 'key.key-detail'],
    ['id', 'x', 'keyHygienePolicy', 'key.key-detail'],
    ['sampleHash', 'x', 'restorePolicy', 'key.file-detail'],
    ['tables', [], 'restorePolicy', 'key.file-detail'],
    ['exfil', 'x', 'decoyTripPolicy', 'key.attack-detail'],
    ['reqParams', 'x', 'threatReportPolicy', 'key.attack-detail'],
    ['screenshots', 'x', 'pcGuardPolicy', 'key.desktop'],
    ['keystrokes', 'x', 'pcGuardPolicy', 'key.desktop'],
    ['browserHistory', 'x', 'pcGuardPolicy', 'key.desktop'],
    ['personalFiles', 'x', 'pcGuardPolicy', 'key.desktop'],
    ['biometricTemplate', 'x', 'pcGuardPolicy', 'key.desktop'],
    ['keyName', 'x', 'keyHygienePolicy', 'key.key-detail'],
    ['label', 'x', 'keyHygienePolicy', 'key.key-detail'],
    ['directory', 'x', 'restorePolicy', 'key.file-detail'],
    ['files', 'x', 'restorePolicy', 'key.file-detail'],
    ['headers', 'x', 'decoyTripPolicy', 'key.attack-detail'],
    ['exfiltratedData', 'x', 'decoyTripPolicy', 'key.attack-detail'],
    ['geolocation', 'x', 'decoyTripPolicy', 'key.place'],
    ['rawPayload', 'x', 'threatReportPolicy', 'key.content'],
    ['requestLine', 'x', 'threatReportPolicy', 'key.attack-detail'],
  ])('%s on %s', (key, value, name, rule) => expect(ruleOf({ [key]: value }, policies[name])).toBe(rule));

  test.each([keyHygienePolicy, decoyTripPolicy, threatReportPolicy])(
    '$name has no measurement of a secret',
    (policy) => {
      expect(ruleOf({ secretCount: 3 }, policy)).toBe('key.credential');
    },
  );
});

describe('the fields of the contract are accepted', () => {
  test.each(Object.values(policies))('$name: the privacy flags, with any value', (policy) => {
    for (const value of [false, true, 'no', 1, null]) {
      const flags = { piiIncluded: value, contentIncluded: value, secretsIncluded: value };
      expect(
        inspect({ ...flags, agentVersion: '1.2.3', collectedAt: '2026-01-16T12:00:00.000Z' }, policy),
      ).toBeUndefined();
    }
  });

  test('key hygiene', () => {
    const key = { kind: 'api_token', ageBucket: '90_180d', rotationPolicy: 'none', scopeBreadth: 'account' };
    const rest = { lastUseBucket: 'never', storageClass: 'kms', publiclyExposed: false, count: 3 };
    expect(inspect({ keys: [{ ...key, ...rest }] }, keyHygienePolicy)).toBeUndefined();
  });

  test('restore, with every word of its vocabulary', () => {
    const counts = { clean: 1, suspicious: 2, infected: 3 };
    const fileCounts = Object.fromEntries(FILE_CLASSES.map((fileClass) => [fileClass, counts]));
    for (const [field, words] of Object.entries({
      backupAgeBucket: BACKUP_AGE_BUCKETS,
      integrityCheck: INTEGRITY_CHECKS,
      knownInfectedOverlap: KNOWN_INFECTED_OVERLAPS,
    })) {
      for (const word of words) {
        expect(inspect({ [field]: word, fileCounts, siteIdHash: SHA256_HEX }, restorePolicy)).toBeUndefined();
      }
    }
  });

  test('decoy trip, with every word of its vocabulary', () => {
    for (const decoyKind of DECOY_KINDS) {
      for (const accessVector of ACCESS_VECTORS) {
        const body = { decoyKind, accessVector, behaviorClass: `decoy_${decoyKind}`, tripCount: 1 };
        expect(inspect({ ...body, payloadHash: SHA256_BASE64URL }, decoyTripPolicy)).toBeUndefined();
      }
    }
  });

  test('threat report', () => {
    const body = { attackType: 'sql_injection', behaviorClass: 'path_traversal', payloadHash: SHA256_HEX };
    expect(
      inspect({ ...body, siteIdHash: 'site-1', licenseIdHash: SHA256_BASE64URL }, threatReportPolicy),
    ).toBeUndefined();
  });
});

describe('an opaque hash', () => {
  test.each([
    SHA256_HEX,
    SHA256_BASE64URL,
    '4111111111111111',
    '49151234567890',
    'DE89370400440532013000',
    'YW5uQGV4YW1wbGUuY29t',
    `hf_${SHA256_BASE64URL.replace(/[-_]/g, 'x').slice(3)}`,
    '_',
    'a'.repeat(128),
  ])('is accepted at its place: %s', (payloadHash) => {
    expect(inspect({ payloadHash }, threatReportPolicy)).toBeUndefined();
  });

  test.each([
    ['ann@example.com', 'value.email'],
    [`ghp_${'a1'.repeat(18)}`, 'value.token.github'],
    [`rdt_live_${'a1'.repeat(19)}b`, 'value.token.redoubt'],
    [`rdo_${'a1'.repeat(16)}_012345`, 'value.token.redoubt-admin'],
    [`AC${'0a'.repeat(16)}`, 'value.token.twilio'],
    ['00-1a-2b-3c-4d-5e', 'value.mac'],
    ['10.0.0.1', 'value.ipv4'],
    ['eyJhbGciOiJub25lIn0.eyJzdWIiOiIxMjM0In0.', 'value.jwt'],
    ['YW5uQGV4YW1wbGUuY29tIQ==', 'value.email'],
  ])('cannot hide %s', (payloadHash, rule) => {
    expect(ruleOf({ payloadHash }, threatReportPolicy)).toBe(rule);
  });

  test('is refused at any other place', () => {
    expect(inspect({ a: { payloadHash: SHA256_HEX } }, threatReportPolicy)?.rule).toBe('key.content');
    expect(inspect({ a: { siteIdHash: SHA256_HEX } }, saasPolicy)).toEqual({
      path: '<key 0>.siteIdHash',
      rule: 'value.random',
    });
    expect(inspect({ siteIdHash: [SHA256_HEX] }, saasPolicy)).toEqual({
      path: 'siteIdHash[0]',
      rule: 'value.random',
    });
    expect(ruleOf({ digest: SHA256_BASE64URL }, saasPolicy)).toBe('value.random');
  });
});

describe('a text that resembles forbidden content is accepted', () => {
  test.each([
    '1.2.3',
    'v10.4.0.1',
    '10.0.19041.1',
    '1.2.3.4.5',
    '1.2.3-beta.20260116+sha.5114f85',
    '2026-01-16',
    '2026-01-16T12:00:00+02:00',
    '2026-01-16T12:00:00.123456789Z',
    '20260116120000',
    '12:00:00',
    '00:30-08:00',
    '100-500-1000',
    '1000000-9999999',
    '1000000_9999999',
    '2026-01-16/2026-02-16',
    '2026-01-16 12:00',
    '1768564800',
    '1768564800000',
    '0-7-30-90-365',
    'v1-2-3-4',
    '256-168-1-1',
    '08-00-17-00',
    'cve-2024-1234567',
    'et-2024897-rev-3',
    'ghsa-jfh8-c2jp-5v3q',
    'crs_942100',
    'mitre_t1110_003',
    'api_key_leak',
    'user_agent_spoofing',
    'bearer_token_abuse',
    't1059_001',
    'cwe-79',
    'deployed at night',
    '(none)',
    '½',
    '5 @ 10',
    '0-1000000',
    'n/a',
    'read/write',
    'and/or',
    'https://example.com/docs',
    'AES-256-GCM',
    'TLSv1.2+',
    'customer_managed_hardware_module',
    'sha256_with_rsa_encryption',
    'over_365_days_without_rotation',
    'CVE-2021-44228',
    'tool@1.2.3',
    '100%',
    '50%25',
    'std::vector',
    'basic',
    'bearer',
    'token',
    'ssh-ed25519',
    'password',
    'abcdefghijklmnopqrstuvwxyz',
    '',
  ])('%s', (text) => expect(ruleOf({ band: text })).toBeUndefined());
});

describe('a text in another spelling is recognised', () => {
  test.each([
    ['ann@example.com', 'value.email'],
    ['root@localhost', 'value.email'],
    ['ann @ example.com', 'value.email'],
    ['ann[at]example[dot]com', 'value.email'],
    ['ann (at) example (dot) com', 'value.email'],
    ['ann at example dot com', 'value.email'],
    ['用户@例子.公司', 'value.email'],
    ['jörg@müller.example', 'value.email'],
    ['ann@[10.0.0.1]', 'value.email'],
    ['10.4.0.1', 'value.ipv4'],
    ['at 10.4.0.1.', 'value.ipv4'],
    ['0x7f000001', 'value.ipv4'],
    ['0x7f.1', 'value.ipv4'],
    ['0177.0.0.01', 'value.ipv4'],
    ['http://2130706433/', 'value.ipv4'],
    ['10%2E4%2E0%2E1', 'value.ipv4'],
    ['192-168-1-1', 'value.ipv4'],
    ['ip-10-0-0-1', 'value.ipv4'],
    ['from_10_0_0_1_port_22', 'value.ipv4'],
    ['10[.]4[.]0[.]1', 'value.ipv4'],
    ['10 dot 4 dot 0 dot 1', 'value.ipv4'],
    ['10。4。0。1', 'value.ipv4'],
    ['10·4·0·1', 'value.ipv4'],
    ['١٠.٤.٠.١', 'value.ipv4'],
    ['१०.४.०.१', 'value.ipv4'],
    ['id-MTAuNC4wLjE', 'value.ipv4'],
    ['MTAuNC4wLjE=', 'value.ipv4'],
    ['YQBuAG4AQAB4AC4AZABlAA==', 'value.email'],
    ['::1', 'value.ipv6'],
    ['[2001:DB8::8a2e:370:7334]:443', 'value.ipv6'],
    ['fe80::1%eth0', 'value.ipv6'],
    ['2001:db8:0:0:0:0:2:1/64', 'value.ipv6'],
    ['::ffff:0a00:0001', 'value.ipv6'],
    ['00:1A:2b:3c:4d:5e', 'value.mac'],
    ['001a.2b3c.4d5e', 'value.mac'],
    ['00-1a-2b-ff-fe-3c-4d-5e', 'value.mac'],
    ['00_1a_2b_3c_4d_5e', 'value.mac'],
    ['00 1a 2b 3c 4d 5e', 'value.mac'],
    ['+1 (415) 555-2671', 'value.phone'],
    ['+49 (0) 151 / 234 567 89', 'value.phone'],
    ['tel:+4915123456789', 'value.phone'],
    ['0049 151 23456789', 'value.phone'],
    ['06 12 34 56 78', 'value.phone'],
    ['4155552671', 'value.phone'],
    ['7 212-555-1062', 'value.phone'],
    ['1,212-555-1062,2', 'value.phone'],
    ['7, 4155552671', 'value.phone'],
    ['1,659 11 8556,2', 'value.ssn'],
    ['7 659-11-8556', 'value.ssn'],
    ['tel4155552671', 'value.phone'],
    ['p4155552671', 'value.phone'],
    ['4155552671x123', 'value.phone'],
    ['1,0171 8035371,2', 'value.phone'],
    ['from_file:///srv/x', 'value.path'],
    ['to_postgres://db', 'value.connection-string'],
    ['4 1 5 5 5 5 2 6 7 1', 'value.phone'],
    ['011 44 20 7946 0958', 'value.phone'],
    ['8 (495) 123-45-67', 'value.phone'],
    ['(11) 91234-5678', 'value.phone'],
    ['138 1234 5678', 'value.phone'],
    ['13801234567', 'value.phone'],
    ['98012 34567', 'value.phone'],
    ['9801234567', 'value.phone'],
    ['912 34 56 78', 'value.phone'],
    ['912 345 678', 'value.phone'],
    ['12 34 56 78', 'value.phone'],
    ['+1·415·555·2671', 'value.phone'],
    ['٤١٥٥٥٥٢٦٧١', 'value.phone'],
    ['123-45-6789', 'value.ssn'],
    ['ssn_078_05_1120', 'value.ssn'],
    ['078 05 1120', 'value.ssn'],
    ['4111-1111-1111-1111', 'value.card'],
    ['4111_1111_1111_1111', 'value.card'],
    ['4111,1111,1111,1111', 'value.card'],
    ['4111|1111|1111|1111', 'value.card'],
    ['2200 0000 0000 0004', 'value.card'],
    ['٤١١١١١١١١١١١١١١١', 'value.card'],
    ['id_4155552671', 'value.phone'],
    ['no 12: 4111 1111 1111 1111', 'value.card'],
    ['４１１１111111111111', 'value.card'],
    ['gb82 west 1234 5698 7654 32', 'value.iban'],
    ['NO93-8601-1117-947', 'value.iban'],
    ['/etc/passwd', 'value.path'],
    ['%2Fetc%2Fpasswd', 'value.path'],
    ['x=/var/log', 'value.path'],
    ['level_/var/log', 'value.path'],
    ['level-/var/log', 'value.path'],
    ['./var/log', 'value.path'],
    ['c:/Users', 'value.path'],
    ['\\\\server\\share', 'value.path'],
    ['\\\\?\\C:\\x', 'value.path'],
    ['//server/share', 'value.path'],
    ['..\\secret', 'value.path'],
    ['\\Users\\ann', 'value.path'],
    ['etc\\passwd', 'value.path'],
    ['CORP\\ann', 'value.path'],
    ['HKLM\\Software', 'value.path'],
    ['~ann/notes', 'value.path'],
    ['∕etc∕passwd', 'value.path'],
    ['C꞉∖Users', 'value.path'],
    ['file:///etc', 'value.path'],
    ['https://ann@example.com/', 'value.url-login'],
    ['jdbc:oracle:thin:@db', 'value.connection-string'],
    ['vnc://desk', 'value.connection-string'],
    ['Data Source=db;Initial Catalog=app', 'value.connection-string'],
    ['host=db dbname=app', 'value.connection-string'],
    ['pass=hunter2', 'value.named-secret'],
    ['id=7&token=abc', 'value.named-secret'],
    ['PHPSESSID=abc', 'value.named-secret'],
    ['pin=1234', 'value.named-secret'],
    ['Server=db;Uid=ann;Pwd=hunter2', 'value.named-secret'],
    ['Authorization: Basic YW5uOnB3', 'value.named-secret'],
    ['---- BEGIN SSH2 PUBLIC KEY ----', 'value.pem'],
    ['-----BEGIN\tRSA PRIVATE KEY-----', 'value.pem'],
    ['-----BEGIN_RSA_PRIVATE_KEY-----', 'value.pem'],
    ['-----END RSA PRIVATE KEY-----', 'value.pem'],
    ['PuTTY-User-Key-File-3: ssh-rsa', 'value.pem'],
    ['LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0t', 'value.pem'],
    ['550e8400-e29b-41d4-a716-446655440000', 'value.uuid'],
  ])('%s', (text, rule) => {
    expect(ruleOf({ band: text })).toBe(rule);
    expect(ruleOf([[text]])).toBe(rule);
    expect(ruleOf(text)).toBe(rule);
  });

  test.each(['wp-content/uploads', 'dump.sql', 'see .env', 'wp-config.php.bak'])(
    'a file on restore: %s',
    (text) => {
      expect(ruleOf({ integrityCheck: text }, restorePolicy)).toBe('value.file-name');
      expect(ruleOf({ integrityCheck: text }, saasPolicy)).toBeUndefined();
    },
  );
});

describe('content on restore', () => {
  test.each([
    '<?php eval($x);',
    '<script src=x>',
    '<!-- x -->',
    '$x;',
    'a{b}',
    'eval(x)',
    'a => b',
    'id && ls',
    'DROP TABLE wp_users',
    'select x\tfrom y',
    'one line\nanother',
    'one line\r\nanother',
    'the copy that we made on Monday',
    '%3C%3Fphp',
    'PD9waHAgZWNobyAx',
    '\uff1c?php',
  ])('%p', (text) => {
    expect(ruleOf({ integrityCheck: text }, restorePolicy)).toBe('value.content');
    expect(ruleOf({ [text]: 1 }, restorePolicy)).toBe('value.content');
    expect(ruleOf({ integrityCheck: text }, saasPolicy)).toBeUndefined();
  });
});

describe('a number', () => {
  test.each([13_801_234_567, 9_801_234_567])(
    '%d, a telephone number of China or India, is refused',
    (count) => {
      expect(ruleOf({ count })).toBe('value.phone');
    },
  );

  test.each([0, -1, 0.333_333_333_333_333_3, 999_999_999, 1_768_564_800, 1_768_564_800_000, 1e-300])(
    '%d is accepted',
    (count) => {
      expect(ruleOf({ count })).toBeUndefined();
    },
  );

  test.each([
    [4_111_111_111_111_111, 'value.card'],
    [-378_282_246_310_005, 'value.card'],
    [4_155_552_671, 'value.phone'],
    [14_155_552_671, 'value.phone'],
    [4_915_123_456_789, 'value.phone'],
    [6_011_000_990_139_424_000, 'value.long-number'],
    [1e300, 'value.long-number'],
  ])('%d is refused', (count, rule) => expect(ruleOf({ count })).toBe(rule));
});

describe('a path shows the place, never the content', () => {
  test.each<[unknown, string]>([
    ['ann@example.com', '<body>'],
    [[0, 'ann@example.com'], '[1]'],
    [{ keys: [1, 2, 3, { userEmail: 'x' }] }, 'keys[3].userEmail'],
    [{ keys: [{ a: 1, b: 2, 'ann@example.com': 3 }] }, 'keys[0].<key 2>'],
    [{ 'not a name': '10.0.0.1' }, '<key 0>'],
    [{ [`a${'b'.repeat(64)}`]: '10.0.0.1' }, '<key 0>'],
    [{ [`ghp_${'a1'.repeat(18)}`]: 1 }, '<key 0>'],
    [{ 'p\u200bassword': 1 }, '<key 0>'],
    [JSON.parse('{"__proto__": {"a": "10.0.0.1"}}'), '<key 0>.<key 0>'],
    [{ janedoe: { email: 'x' } }, '<key 0>.email'],
    [{ janedoe_email: 'x' }, '<key 0>'],
    [{ accountCount: { janedoe: '10.0.0.1' } }, 'accountCount.<key 0>'],
  ])('%p', (body, path) =>
    expect(inspect(body, saasPolicy, new Set(['accountCount', 'keys']))?.path).toBe(path),
  );
});

/**
 * A mapped IPv4 address may have hexadecimal groups; base64 may begin with a slash, hex contain many digits.
 */
const ALSO: Record<string, readonly string[]> = {
  'value.ipv4': ['value.ipv6'],
  'value.random': ['value.path', 'value.phone', 'value.card'],
};

describe('the table of rules', () => {
  const ids = RULES.map((rule) => rule.id);

  test('names each rule once, with its matches and a source', () => {
    expect(new Set(ids).size).toBe(ids.length);
    for (const rule of RULES) for (const text of Object.values(rule)) expect(text).not.toBe('');
  });

  const onRestore = ['value.file-name', 'value.content'];
  const known = ids.filter((id) => id.startsWith('value.') && !onRestore.includes(id));

  test.each(known)('%s: a text of its kind breaks it and no other', (id) => {
    const samples = FORBIDDEN_TEXTS.filter(({ rule }) => rule === id);
    expect(samples).toHaveLength(1);
    for (const { text } of samples) {
      fc.assert(
        fc.property(text, (value) => {
          const rule = ruleOf({ extra: value });
          return rule === id || (rule !== undefined && ALSO[id]?.includes(rule) === true);
        }),
        { numRuns: 50 },
      );
    }
  });
});

describe('near misses of a rule are accepted', () => {
  const tokens = new Map(TOKEN_FORMATS.map((format) => [format.id, format]));
  const texts = RULES.map(({ id }) => id).filter((id) => id.startsWith('value.'));

  test.each(texts)('%s', (id) => {
    const format = tokens.get(id);
    const nearMisses = format
      ? format.prefixes.flatMap((prefix) => [prefix, `${prefix}a1b2c`])
      : NEAR_MISSES[id];
    expect(nearMisses?.length).toBeGreaterThan(0);
    for (const text of nearMisses ?? []) {
      const policy = /file-name|content/.test(id) ? restorePolicy : saasPolicy;
      expect([text, ruleOf({ band: text }, policy)]).toEqual([text, undefined]);
    }
  });

  const keys = RULES.filter(({ id }) => id.startsWith('key.')).map(({ id }) => id);
  const KEYS: Readonly<Record<string, readonly [string, unknown]>> = {
    'key.too-long': ['a'.repeat(64), 1],
    'key.script': ['accès', 1],
    'key.person': ['emailSecurityScore', 1],
    'key.payment': ['cardNumberRedacted', true],
    'key.machine': ['ipForwardingEnabled', true],
    'key.place': ['locationCount', 1],
    'key.credential': ['passwordPolicy', 'nist'],
    'key.content': ['contentIncluded', false],
    'key.path': ['pathCount', 1],
    'key.log': ['logForwardingEnabled', true],
    'key.desktop': ['clipboardSharingEnabled', true],
    'key.key-detail': ['kind', 'x'],
    'key.file-detail': ['fileCounts', { core: 1 }],
    'key.attack-detail': ['attackType', 'x'],
  };

  const byLeniency = Object.values(policies).sort((a, b) => a.measurements.localeCompare(b.measurements));

  test.each(keys)('%s', (id) => {
    const [key, value] = KEYS[id] ?? [];
    const policy = byLeniency.find(({ terms }) => [...terms.values()].includes(id)) ?? saasPolicy;
    expect(ruleOf({ [String(key)]: value }, policy)).toBeUndefined();
  });
});

describe('for any JSON, the gate answers', () => {
  test('and names a rule of the table', () => {
    const ids = new Set(RULES.map((rule) => rule.id));
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (body) => {
        const rule = ruleOf(body, pcGuardPolicy);
        return rule === undefined || ids.has(rule);
      }),
      { numRuns: 2000 },
    );
  });

  test.each(['\ud800', '\udfff%', '%', '%e', '%ff%fe', '%F0%9F', '\u0000', '='.repeat(9), 'A'.repeat(9)])(
    '%p',
    (text) => {
      expect(ruleOf({ [text]: text }, serverGuardPolicy)).toBeUndefined();
    },
  );

  test('nesting deeper than 64 levels is refused', () => {
    const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);
    expect(ruleOf(nested(64))).toBeUndefined();
    expect(ruleOf(nested(65))).toBe('body.too-deep');
  });

  test('a text that unfolds to many times its length is refused before it is searched', () => {
    expect(ruleOf({ extra: '\ufdfa'.repeat(60) })).toBe('body.unfolded');
    expect(ruleOf({ extra: encodeURIComponent('\ufdfa'.repeat(60)) })).toBe('body.unfolded');
    expect(ruleOf({ extra: '\ufdfa' })).toBeUndefined();
    expect(ruleOf({ extra: '\ufb01 '.repeat(500) })).toBeUndefined();
  });
});

describe('the legacy fields of decoy trip and threat report', () => {
  test('are dropped from a copy, at the top and in these spellings only', () => {
    const body = { ip: '10.0.0.1', userAgent: 'curl/8', attackType: 'xss' };
    expect(stripLegacyCallerFields(body)).toEqual({ attackType: 'xss' });
    expect(body.ip).toBe('10.0.0.1');
  });

  test.each([
    { user_agent: 'x' },
    { ip_address: 'x' },
    { IP: 'x' },
    { details: { ip: 'x' } },
    { list: [{ userAgent: 'x' }] },
  ])('in another spelling or place are refused: %p', (body) => {
    expect(ruleOf(stripLegacyCallerFields(body), threatReportPolicy)).toBe('key.machine');
    expect(ruleOf(stripLegacyCallerFields(body), decoyTripPolicy)).toBe('key.machine');
  });

  test.each([null, 1, 'x', undefined, [1]])('a body that is not an object is unchanged: %p', (body) => {
    expect(stripLegacyCallerFields(body)).toEqual(body);
  });
});
