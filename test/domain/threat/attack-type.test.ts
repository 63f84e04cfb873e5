import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { severityByType } from '../../../src/domain/severity.ts';
import {
  ATTACK_MEANINGS,
  ATTACK_TYPES,
  attackTypeOf,
  severityOfAttack,
} from '../../../src/domain/threat/attack-type.ts';
import { ACCESS_VECTORS, DECOY_KINDS, threatOfDecoy } from '../../../src/domain/threat/decoy.ts';

test('the vocabulary has 40 to 80 names of one form, each with its own meaning', () => {
  expect(ATTACK_TYPES.length).toBeWithin(40, 81);
  for (const name of ATTACK_TYPES) expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/);
  expect(new Set(Object.values(ATTACK_MEANINGS)).size).toBe(ATTACK_TYPES.length);
});

test('every name of the vocabulary is published unchanged, and has the meaning of an event with that name', () => {
  for (const name of ATTACK_TYPES) {
    expect(attackTypeOf(name)).toBe(name);
    // "medium" is also the severity of an event with unknown words.
    const byWords = severityByType(name);
    if (byWords !== 'medium') expect([name, severityOfAttack(name)]).toEqual([name, byWords]);
  }
});

describe('a name in use is published as', () => {
  test.each([
    // Of this repository's examples, demonstration and tests.
    ['sql_injection', 'sql_injection'],
    ['webshell_upload', 'webshell_upload'],
    ['login_bruteforce', 'login_bruteforce'],
    ['xss', 'xss'],
    ['log4shell', 'jndi_injection'],
    ['insecure_deserialization', 'insecure_deserialization'],
    ['http_request_smuggling_via_http2_downgrade', 'request_smuggling'],
    ['cve-2024-1234567', 'known_vulnerability'],
    ['ghsa-jfh8-c2jp-5v3q', 'known_vulnerability'],
    ['malware_found', 'malware'],
    ['webshell_found', 'webshell'],
    ['login_failed', 'login_bruteforce'],
    ['rce_found', 'remote_code_execution'],
    // Of firewalls' rules, MITRE ATT&CK and CWE.
    ['attack-sqli', 'sql_injection'],
    ['attack-lfi', 'file_inclusion'],
    ['mitre_t1110_003', 'password_spraying'],
    ['t1110', 'login_bruteforce'],
    ['cwe-79', 'xss'],
    ['reflected-xss', 'xss'],
    ['wp_brute_force', 'login_bruteforce'],
    ['XSS', 'xss'],
    // The longest run of words wins, then the first.
    ['no_sql_injection', 'nosql_injection'],
    ['webshell_upload_attempt', 'webshell_upload'],
    ['scan_for_xss', 'vulnerability_scan'],
  ] as const)('%s: %s', (reported, published) => {
    expect(attackTypeOf(reported)).toBe(published);
  });
});

test.each([
  'john_at_example_dot_com',
  'acme-corp-is-hacked',
  'maria-gonzalez',
  'attack_blocked',
  'a',
  '',
  'constructor',
  'sqlinjectionx',
])('%j, which neither is nor contains a name of the vocabulary, is published as other', (reported) => {
  expect(attackTypeOf(reported)).toBe('other');
});

test('every decoy has a name in the vocabulary', () => {
  for (const decoyKind of DECOY_KINDS) {
    const { attackType } = threatOfDecoy({ decoyKind, accessVector: ACCESS_VECTORS[0], behaviorClass: 'x' });
    expect(attackTypeOf(attackType)).toBe(attackType);
    expect(severityOfAttack(attackType)).toBe('critical');
  }
});

test('for any report, only the vocabulary is published', () => {
  const words = fc.array(fc.oneof(fc.constantFrom(...ATTACK_TYPES), fc.string()), { maxLength: 8 });
  fc.assert(
    fc.property(words, fc.constantFrom('_', '-', ''), (parts, sign) => {
      expect(ATTACK_TYPES).toContain(attackTypeOf(parts.join(sign)));
    }),
  );
});
