import { expect, test } from 'bun:test';
import { componentWords, deadlineWords, remedyWords } from '../../src/cli/vulns-words.ts';
import type { Deadline } from '../../src/domain/risk/deadline.ts';

test.each([
  ['wordpress-core', 'wordpress', '6.9', 'WordPress 6.9'],
  ['wordpress-plugin', 'woo-x', '1.2', 'plugin woo-x 1.2'],
  ['wordpress-theme', 'astra', '4.0', 'theme astra 4.0'],
  ['npm', '@scope/left', '1.0.0', 'npm package @scope/left 1.0.0'],
  ['pypi', 'django', '5.0', 'Python package django 5.0'],
  ['debian:12', 'openssl', '3.0.11-1', 'Debian 12 package openssl 3.0.11-1'],
  ['debian', 'openssl', '3.0.11-1', 'Debian package openssl 3.0.11-1'],
  ['ubuntu-pro:18.04', 'vim', '2:8.0', 'Ubuntu Pro 18.04 package vim 2:8.0'],
])('of %s, %s %s is called %s', (ecosystem, name, version, words) => {
  expect(componentWords(ecosystem, name, version)).toBe(words);
});

test('the remedy is the nearest fixed version, and where there is none what is left to do', () => {
  expect(remedyWords(['1.2.4', '2.0'])).toBe('update to 1.2.4');
  expect(remedyWords([])).toBe('no fix: remove it or limit who can reach it');
});

test.each<[Deadline, string]>([
  ['upgrade', 'with the next upgrade'],
  ['14_days', 'within 14 days'],
  ['3_days_forensics', 'within 3 days, traces of a break-in first'],
])('the deadline %s is %s', (deadline, words) => {
  expect(deadlineWords(deadline)).toBe(words);
});
