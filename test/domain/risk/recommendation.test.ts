import { describe, expect, test } from 'bun:test';
import type { RiskFacts } from '../../../src/domain/risk/facts.ts';
import { assess, component, epss, KERNEL, LISTED, STORED_XSS, TAKEOVER } from './known.ts';

describe('the recommendation', () => {
  const takeover = { cvssVectors: [TAKEOVER], epss: epss(0.01), exposure: 'open' } as const;
  test.each<[string, Partial<RiskFacts>, string]>([
    [
      'an exploited takeover',
      { ...takeover, knownExploited: [LISTED], component: component(['5.3.2']) },
      'Check for signs of compromise first, then update contact-form to 5.3.2 within 3 days, because it can be taken ' +
        'over without a login and is being exploited. Changes made before this check can destroy evidence.',
    ],
    [
      'an exploited takeover without a fix',
      { ...takeover, knownExploited: [LISTED], component: component([]) },
      'Check for signs of compromise first, then remove contact-form within 3 days, because it can be taken over without ' +
        'a login and is being exploited. Changes made before this check can destroy evidence. No fixed version is known. ' +
        'Replace it with another product.',
    ],
    [
      'several fixes and ransomware',
      {
        cvssVectors: [KERNEL],
        exposure: 'small',
        knownExploited: [{ ...LISTED, ransomware: true }],
        component: component(['6.1', '6.6', '6.12', '6.17']),
      },
      'Update contact-form to 6.1, 6.6 or 6.12 within 14 days, because it can be taken over by anyone who can run ' +
        'programs on the host and is being exploited, including for ransomware.',
    ],
    [
      'no fix for a removable component',
      { ...takeover, hasPublicExploit: true, component: component([]) },
      'Remove contact-form within 3 days, because it can be taken over without a login and an exploit is public. ' +
        'No fixed version is known. Replace it with another product.',
    ],
    [
      'no fix for an irremovable component',
      { ...takeover, epss: epss(0.34), component: component([], false) },
      'Restrict access to contact-form within 3 days, because it can be taken over without a login and has a 34 % ' +
        'chance of being exploited within 30 days. No fixed version is known. Update as soon as one is available.',
    ],
    [
      'a vulnerability that can wait',
      { cvssVectors: [STORED_XSS], epss: epss(0.003), exposure: 'small', component: component(['2.0']) },
      'Update contact-form to 2.0 at the next regular maintenance, because it can be attacked by anyone with a login.',
    ],
    [
      'a vulnerability without any data, and no component',
      {},
      'Update the affected software, or remove it if there is no fix, within 14 days, because it can be attacked. ' +
        'The attack vector is not published, so the worst case is assumed.',
    ],
  ])('for %s', (_, facts, sentences) => {
    expect(assess(facts).recommendation).toBe(sentences);
  });

  test.each([
    ['AV:P', 'by anyone with physical access'],
    ['AV:A', 'from the same network'],
    ['AV:N/AC:L/PR:H', 'by anyone with an administrator’s login'],
  ])('states for %s that it is attacked %s', (metrics, words) => {
    const length = metrics.split('/').length;
    const vector = ['CVSS:3.1', metrics, ...TAKEOVER.split('/').slice(1 + length)].join('/');
    expect(assess({ cvssVectors: [vector] }).recommendation).toContain(` it can be taken over ${words}.`);
  });
});
