import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { SEVERITIES, severityByType } from '../../src/domain/severity.ts';

describe('the severity of a type', () => {
  test.each([
    ['webshell_upload', 'critical'],
    ['malware-found', 'critical'],
    ['sql_injection', 'high'],
    ['path_traversal', 'high'],
    ['login_failed', 'medium'],
    ['attack_blocked', 'medium'],
    ['port_scan', 'low'],
    ['plugin_update', 'low'],
    ['heartbeat', 'info'],
    ['XSS', 'medium'],
  ])('%s is %s', (type, severity) => {
    expect<string>(severityByType(type)).toBe(severity);
  });

  test('is that of its worst word, at any position', () => {
    expect([severityByType('scan_of_backdoor'), severityByType('backdoor_scan')]).toEqual([
      'critical',
      'critical',
    ]);
  });

  test('depends on whole words: a part of one has no effect', () => {
    expect([severityByType('forced'), severityByType('botanic'), severityByType('sourced')]).toEqual([
      'medium',
      'medium',
      'medium',
    ]);
  });

  test('is one of the five for any text', () => {
    fc.assert(fc.property(fc.string(), (type) => expect(SEVERITIES).toContain(severityByType(type))));
  });
});
