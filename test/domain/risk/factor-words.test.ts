import { expect, test } from 'bun:test';
import type { RiskFacts } from '../../../src/domain/risk/facts.ts';
import type { RiskFactorId } from '../../../src/domain/risk/score.ts';
import { assess, epss, LISTED, STORED_XSS, TAKEOVER } from './known.ts';

const answers = { exploitation: 'poc', automatable: 'no', technicalImpact: 'partial' } as const;

test.each<[RiskFactorId, Partial<RiskFacts>, string]>([
  [
    'exploitation',
    { epss: epss(0.12) },
    'No exploit is known, according to all imported sources. It has a 12 % chance of being exploited within 30 days, ' +
      'according to EPSS.',
  ],
  [
    'exploitation',
    { hasPublicExploit: true, epss: epss(0.08) },
    'A public exploit exists, according to a published reference. It has an 8 % chance of being exploited within 30 days, ' +
      'according to EPSS.',
  ],
  [
    'exploitation',
    { ssvc: answers, epssMedian: 0.18 },
    'A public exploit exists, according to CISA’s analysts (Vulnrichment). EPSS has no score for it: an 18 % chance of ' +
      'being exploited within 30 days is assumed.',
  ],
  [
    'exploitation',
    { knownExploited: [LISTED] },
    'It is being exploited, according to CISA’s catalogue of exploited vulnerabilities (listed on 2026-10-02).',
  ],
  [
    'exploitation',
    { knownExploited: [{ ...LISTED, catalogue: 'enisa', since: null }] },
    'It is being exploited, according to ENISA’s catalogue of exploited vulnerabilities.',
  ],
  [
    'exploitation',
    { assertedExploitation: 'active' },
    'It is being exploited, according to the operator of this service.',
  ],
  ['severity', { cvssVectors: [TAKEOVER] }, 'Its CVSS 3.1 base score is 9.8 (critical).'],
  ['severity', {}, 'It has no CVSS vector of version 3 or 4. A base score of 5.0 is assumed.'],
  ['automatable', { cvssVectors: [TAKEOVER] }, 'Attacks can be automated, according to its CVSS 3.1 vector.'],
  [
    'automatable',
    { ssvc: answers, cvssVectors: [STORED_XSS] },
    'Attacks cannot be automated reliably, according to CISA’s analysts (Vulnrichment).',
  ],
  ['automatable', {}, 'Assumed, because there is no data: attacks can be automated.'],
  ['exposure', { exposure: 'small' }, 'Very few people can reach it, according to data about the site.'],
  [
    'exposure',
    { exposure: 'controlled' },
    'The public cannot reach it directly, according to data about the site.',
  ],
  ['exposure', { exposure: 'open' }, 'The public can reach it, according to data about the site.'],
  ['exposure', {}, 'Assumed, because there is no data: the public can reach it.'],
  [
    'importance',
    { importance: 'high' },
    'The importance of the site is high, according to the site’s setting.',
  ],
  ['importance', {}, 'Assumed, because there is no data: the importance of the site is medium.'],
])('the factor %s describes %j as %s', (id, facts, sentences) => {
  expect(assess(facts).factors.find((factor) => factor.id === id)?.finding).toBe(sentences);
});
