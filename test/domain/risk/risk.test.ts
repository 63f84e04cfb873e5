import { describe, expect, test } from 'bun:test';
import type { RiskFacts } from '../../../src/domain/risk/facts.ts';
import { assess, epss, KERNEL, LISTED, SQL_INJECTION, STORED_XSS, TAKEOVER } from './known.ts';

describe('golden scores', () => {
  const takeover = { cvssVectors: [TAKEOVER], epss: epss(0.01), exposure: 'open' } as const;
  const kernel = { cvssVectors: [KERNEL], epss: epss(0.001), exposure: 'small' } as const;
  test.each<[string, Partial<RiskFacts>, number, number | null, boolean, string]>([
    ['an unauthenticated takeover of a plugin', takeover, 81, 3, false, 'track'],
    ['the same once it is in a catalogue', { ...takeover, knownExploited: [LISTED] }, 99, 3, true, 'act'],
    [
      'the same once the operator has seen it',
      { ...takeover, assertedExploitation: 'active' },
      99,
      3,
      true,
      'act',
    ],
    ['the same in an inactive plugin', { ...takeover, exposure: 'controlled' }, 38, 60, false, 'track'],
    [
      'an unauthenticated SQL injection',
      { ...takeover, cvssVectors: [SQL_INJECTION], epss: epss(0.003) },
      59,
      14,
      false,
      'track',
    ],
    [
      "a contributor's stored XSS",
      { ...takeover, cvssVectors: [STORED_XSS], epss: epss(0.003) },
      33,
      60,
      false,
      'track',
    ],
    ['a local flaw of the kernel', kernel, 5, null, false, 'track'],
    ['the same once it is in a catalogue', { ...kernel, knownExploited: [LISTED] }, 63, 14, false, 'attend'],
  ])('%s', (_, facts, score, days, forensics, decision) => {
    expect(assess(facts)).toMatchObject({ score, remediateWithinDays: days, forensics, decision });
  });

  test('Vulnrichment alone changes decision and points, not the deadline', () => {
    const ssvc = { exploitation: 'active', automatable: 'yes', technicalImpact: 'total' } as const;
    expect(assess({ ...takeover, ssvc })).toMatchObject({
      score: 87,
      remediateWithinDays: 3,
      forensics: false,
      decision: 'act',
      knownExploited: null,
    });
  });
});

describe('a missing statement counts as', () => {
  const exploitation = (more: Partial<RiskFacts>) => {
    const [factor] = assess(more).factors;
    return [factor?.points, factor?.assumed];
  };

  test('the middle of the imported file without an EPSS score, else one in a hundred, marked as assumed', () => {
    expect(exploitation({ epssMedian: 0.03 })).toEqual([20, true]);
    expect(exploitation({})).toEqual([13, true]);
    expect(exploitation({ epss: epss(0.01), epssMedian: 0.9 })).toEqual([13, false]);
  });

  test('unmarked where evidence of exploits supersedes it', () => {
    expect(exploitation({ hasPublicExploit: true })).toEqual([25, false]);
    expect(exploitation({ hasPublicExploit: true, epssMedian: 0.5 })).toEqual([36, true]);
    expect(exploitation({ knownExploited: [LISTED] })).toEqual([45, false]);
  });

  test('a medium severity, which the findings mention', () => {
    const { factors } = assess({});
    expect(factors.map(({ points }) => points)).toEqual([13, 12, 10, 10, 5]);
    expect(factors.map(({ assumed }) => assumed)).toEqual([true, true, true, true, true]);
    expect(factors.map(({ finding }) => finding)).toEqual([
      'No exploit is known, according to all imported sources. EPSS has no score for it: a 1 % chance of being exploited within 30 days is assumed.',
      'It has no CVSS vector of version 3 or 4. A base score of 5.0 is assumed.',
      'Assumed, because there is no data: attacks can be automated.',
      'Assumed, because there is no data: the public can reach it.',
      'Assumed, because there is no data: the importance of the site is medium.',
    ]);
  });
});

test('the answer has the inputs of both tables in the words of SSVC, and the names of the tables', () => {
  const risk = assess({
    cvssVectors: [TAKEOVER],
    hasPublicExploit: true,
    exposure: 'controlled',
    importance: 'high',
  });
  expect(risk.decisionPoints).toEqual({
    'ssvc:E:1.1.0': 'public poc',
    'cisa:KEV:1.0.0': 'no',
    'ssvc:A:2.0.0': 'yes',
    'ssvc:TI:1.0.0': 'total',
    'ssvc:EXP:1.0.1': 'controlled',
    'cisa:PE:1.0.0': 'no',
    'ssvc:MWI:1.0.0': 'high',
  });
  expect(risk.tables).toEqual(['cisa:BOD2604:1.0.0', 'cisa:coordinator:2.0.3']);
});
