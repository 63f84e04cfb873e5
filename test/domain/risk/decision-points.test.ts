import { describe, expect, test } from 'bun:test';
import { weighCvss } from '../../../src/domain/risk/cvss.ts';
import { catalogueEntry, decisionPoints } from '../../../src/domain/risk/decision-points.ts';
import { EXPLOITATIONS, type Exploitation, type RiskFacts } from '../../../src/domain/risk/facts.ts';
import { combinations, LISTED, NOTHING, STORED_XSS, TAKEOVER } from './known.ts';

const pointsOf = (more: Partial<RiskFacts>) => {
  const facts = { ...NOTHING, ...more };
  return decisionPoints(facts, weighCvss(facts.cvssVectors));
};
const answers = (exploitation: Exploitation | null) => ({
  exploitation,
  automatable: null,
  technicalImpact: null,
});
const ATTACKED = 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N/E:A';

describe('exploitation', () => {
  test.each<[Partial<RiskFacts>, Exploitation, string]>([
    [{}, 'none', 'all imported sources'],
    [{ ssvc: answers('none') }, 'none', 'CISA’s analysts (Vulnrichment)'],
    [{ assertedExploitation: 'none' }, 'none', 'the operator of this service'],
    [{ hasPublicExploit: true }, 'poc', 'a published reference'],
    [{ ssvc: answers('poc'), hasPublicExploit: true }, 'poc', 'CISA’s analysts (Vulnrichment)'],
    [{ cvssVectors: [`${TAKEOVER}/E:H`] }, 'poc', 'its CVSS 3.1 vector'],
    [{ assertedExploitation: 'poc' }, 'poc', 'the operator of this service'],
    [{ cvssVectors: [ATTACKED] }, 'active', 'its CVSS 4.0 vector'],
    [{ assertedExploitation: 'active' }, 'active', 'the operator of this service'],
    [{ ssvc: answers('active'), cvssVectors: [ATTACKED] }, 'active', 'CISA’s analysts (Vulnrichment)'],
    [
      { knownExploited: [LISTED], ssvc: answers('active') },
      'active',
      'CISA’s catalogue of exploited vulnerabilities (listed on 2026-10-02)',
    ],
    [
      { knownExploited: [{ ...LISTED, since: null }] },
      'active',
      'CISA’s catalogue of exploited vulnerabilities',
    ],
    [
      { knownExploited: [{ ...LISTED, catalogue: 'enisa' }] },
      'active',
      'ENISA’s catalogue of exploited vulnerabilities (listed on 2026-10-02)',
    ],
  ])('of %j is %s, according to %s', (more, value, source) => {
    expect(pointsOf(more).exploitation).toEqual({ value, source, assumed: false });
  });

  test('is the strongest of all statements: `none` of one source overrides no other', () => {
    const VECTORS = { none: TAKEOVER, poc: `${TAKEOVER}/E:F`, active: ATTACKED };
    for (const [asserted, answered, vector, listed, hasPublicExploit] of combinations<number>([
      [0, 1, 2],
      [0, 1, 2],
      [0, 1, 2],
      [0, 2],
      [0, 1],
    ]) as Generator<[number, number, number, number, number]>) {
      const { exploitation } = pointsOf({
        assertedExploitation: EXPLOITATIONS[asserted] as Exploitation,
        ssvc: answers(EXPLOITATIONS[answered] as Exploitation),
        cvssVectors: [VECTORS[EXPLOITATIONS[vector] as Exploitation]],
        knownExploited: listed > 0 ? [LISTED] : [],
        hasPublicExploit: hasPublicExploit > 0,
      });
      const strongest = Math.max(asserted, answered, vector, listed, hasPublicExploit);
      expect(exploitation.value).toBe(EXPLOITATIONS[strongest] as Exploitation);
    }
  });
});

test("known exploited requires a catalogue or the operator's assertion, and no other source", () => {
  const listed = (more: Partial<RiskFacts>): string => pointsOf(more).knownExploited.value;
  expect(listed({ knownExploited: [{ ...LISTED, catalogue: 'enisa' }] })).toBe('yes');
  expect(listed({ knownExploited: [LISTED], assertedExploitation: 'none' })).toBe('yes');
  expect(listed({ assertedExploitation: 'active' })).toBe('yes');
  expect(listed({ assertedExploitation: 'poc' })).toBe('no');
  expect(listed({ ssvc: answers('active'), cvssVectors: [ATTACKED], hasPublicExploit: true })).toBe('no');
});

describe('automation and impact are those of', () => {
  const values = (more: Partial<RiskFacts>) => {
    const { automatable, technicalImpact } = pointsOf(more);
    return [automatable, technicalImpact].map((point) => `${point.value}, ${point.source}, ${point.assumed}`);
  };

  test('Vulnrichment, before any vector', () => {
    const ssvc = { exploitation: null, automatable: 'yes', technicalImpact: 'total' } as const;
    expect(values({ ssvc, cvssVectors: [STORED_XSS] })).toEqual([
      'yes, CISA’s analysts (Vulnrichment), false',
      'total, CISA’s analysts (Vulnrichment), false',
    ]);
  });

  test('the vector, where Vulnrichment has no answer', () => {
    const ssvc = { exploitation: null, automatable: 'no', technicalImpact: null } as const;
    expect(values({ ssvc, cvssVectors: [TAKEOVER] })).toEqual([
      'no, CISA’s analysts (Vulnrichment), false',
      'total, its CVSS 3.1 vector, false',
    ]);
  });

  test('an assumption, marked as such, without either', () => {
    expect(values({ cvssVectors: ['AV:N/AC:L/Au:N/C:C/I:C/A:C'] })).toEqual([
      'yes, the default of SSVC, true',
      'partial, no source, true',
    ]);
  });
});

test('exposure and importance are the given ones, else open and medium, marked as assumed', () => {
  const { exposure, importance } = pointsOf({ exposure: 'small', importance: 'high' });
  expect([exposure.value, exposure.assumed, importance.value, importance.assumed]).toEqual([
    'small',
    false,
    'high',
    false,
  ]);
  const unknown = pointsOf({});
  expect([unknown.exposure.value, unknown.exposure.assumed]).toEqual(['open', true]);
  expect([unknown.importance.value, unknown.importance.assumed]).toEqual(['medium', true]);
});

test('of several catalogues the oldest entry is shown, with ransomware data from any of them', () => {
  const enisa = { catalogue: 'enisa', since: LISTED.since + 1, ransomware: true };
  const undated = { catalogue: 'own', since: null, ransomware: false };
  for (const entries of [
    [LISTED, enisa, undated],
    [undated, enisa, LISTED],
  ])
    expect(catalogueEntry(entries)).toEqual({ ...LISTED, ransomware: true });
  expect(catalogueEntry([undated])).toEqual(undated);
  expect(catalogueEntry([])).toBeUndefined();
});
