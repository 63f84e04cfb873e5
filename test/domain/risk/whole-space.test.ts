import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { DECISIONS } from '../../../src/domain/risk/decision.ts';
import {
  EXPLOITATIONS,
  EXPOSURES,
  IMPORTANCES,
  type RiskFacts,
  TECHNICAL_IMPACTS,
  YES_NO,
} from '../../../src/domain/risk/facts.ts';
import type { Risk } from '../../../src/domain/risk/risk.ts';
import { assess, combinations, epss, KERNEL, LISTED, STORED_XSS, TAKEOVER } from './known.ts';

/** Lowest and highest score by days and forensics. */
const BANDS: Readonly<Record<string, readonly [low: number, high: number]>> = {
  'null false': [0, 24],
  '60 false': [25, 49],
  '14 false': [50, 69],
  '3 false': [70, 89],
  '3 true': [90, 100],
};
const URGENCIES = Object.keys(BANDS);
const urgency = ({ remediateWithinDays, forensics }: Risk): string => `${remediateWithinDays} ${forensics}`;

const isAtLeast = (worse: Risk, better: Risk): boolean =>
  worse.score >= better.score &&
  DECISIONS.indexOf(worse.decision) >= DECISIONS.indexOf(better.decision) &&
  URGENCIES.indexOf(urgency(worse)) >= URGENCIES.indexOf(urgency(better));

type Change = (facts: Partial<RiskFacts>) => Partial<RiskFacts>;
const set = (more: Partial<RiskFacts>): Change => {
  return (facts) => ({ ...facts, ...more });
};
const answer = (more: Partial<NonNullable<RiskFacts['ssvc']>>): Change => {
  const none = { exploitation: null, automatable: null, technicalImpact: null };
  return (facts) => ({ ...facts, ssvc: { ...none, ...facts.ssvc, ...more } });
};

/** For each fact its values from the best to the worst. */
const WORSENING: readonly (readonly Change[])[] = [
  EXPLOITATIONS.map((assertedExploitation) => set({ assertedExploitation })),
  [set({ knownExploited: [] }), set({ knownExploited: [LISTED] })],
  [set({ hasPublicExploit: false }), set({ hasPublicExploit: true })],
  [
    'CVSS:3.1/AV:P/AC:H/PR:H/UI:R/S:U/C:N/I:N/A:N',
    STORED_XSS,
    TAKEOVER,
    'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H',
  ].map((vector) => set({ cvssVectors: [vector] })),
  [0, 0.001, 0.03, 0.2, 1].map((probability) => set({ epss: epss(probability) })),
  EXPOSURES.map((exposure) => set({ exposure })),
  IMPORTANCES.map((importance) => set({ importance })),
  EXPLOITATIONS.map((exploitation) => answer({ exploitation })),
  YES_NO.map((automatable) => answer({ automatable })),
  TECHNICAL_IMPACTS.map((technicalImpact) => answer({ technicalImpact })),
];
/** One risk for each combination, the first fact changing fastest. */
const SPACE: readonly Risk[] = [...combinations(WORSENING)].map((changes) =>
  assess(changes.reduce((facts, change) => change(facts), {} as Partial<RiskFacts>)),
);

describe('over the whole space of facts', () => {
  test('no worse fact lowers score or decision, or allows more time', () => {
    let compared = 0;
    const wrong: number[] = [];
    let stride = 1;
    for (const { length } of WORSENING) {
      for (const [index, risk] of SPACE.entries()) {
        const worse = SPACE[index + stride];
        if (worse === undefined || Math.floor(index / stride) % length === length - 1) continue;
        compared++;
        if (!isAtLeast(worse, risk)) wrong.push(index);
      }
      stride *= length;
    }
    expect([SPACE.length, compared, wrong]).toEqual([25_920, 161_136, []]);
  });

  test('the five factors add up to the position of the score in the band of its deadline', () => {
    const wrong = SPACE.filter((risk) => {
      const [low, high] = BANDS[urgency(risk)] as readonly [number, number];
      const points = risk.factors.reduce((sum, factor) => sum + factor.points, 0);
      const isSound = risk.factors.every(
        (factor) =>
          Number.isInteger(factor.points) && factor.points >= 0 && factor.points <= factor.pointsMax,
      );
      return !isSound || risk.score !== low + Math.floor(((high - low) * points) / 100);
    });
    expect(wrong).toEqual([]);
    expect(SPACE[0]?.factors.map(({ id, pointsMax }) => `${id} ${pointsMax}`)).toEqual([
      'exploitation 45',
      'severity 25',
      'automatable 10',
      'exposure 10',
      'importance 10',
    ]);
  });

  test('0 and 100 are reached, and every deadline and decision', () => {
    const scores = SPACE.map(({ score }) => score);
    expect([Math.min(...scores), Math.max(...scores)]).toEqual([0, 100]);
    expect(new Set(SPACE.map(urgency))).toEqual(new Set(URGENCIES));
    expect(new Set(SPACE.map(({ decision }) => decision))).toEqual(new Set(DECISIONS));
  });
});

describe('a risk is never lower when', () => {
  test('the likelihood by EPSS, or the middle that replaces it, is higher', () => {
    const probability = fc.oneof(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 0.01, noNaN: true }),
    );
    const others = fc.record({
      cvssVectors: fc.constantFrom([TAKEOVER], [KERNEL]),
      hasPublicExploit: fc.boolean(),
    });
    fc.assert(
      fc.property(others, probability, probability, (facts, one, other) => {
        const [low, high] = [Math.min(one, other), Math.max(one, other)];
        const scored = (likelihood: number) => assess({ ...facts, epss: epss(likelihood) });
        const unscored = (epssMedian: number) => assess({ ...facts, epssMedian });
        expect([isAtLeast(scored(high), scored(low)), isAtLeast(unscored(high), unscored(low))]).toEqual([
          true,
          true,
        ]);
      }),
      { numRuns: 500 },
    );
  });

  const NONE_TO_HIGH = 'NLH';
  /** Each metric with its values from the best to the worst. */
  const METRICS: readonly [version: string, metrics: readonly (readonly [name: string, values: string])[]][] =
    [
      [
        'CVSS:3.1',
        [
          ['AV', 'PLAN'],
          ['AC', 'HL'],
          ['PR', 'HLN'],
          ['UI', 'RN'],
          ['S', 'UC'],
          ...['C', 'I', 'A'].map((name) => [name, NONE_TO_HIGH] as const),
        ],
      ],
      [
        'CVSS:4.0',
        [
          ['AV', 'PLAN'],
          ['AC', 'HL'],
          ['AT', 'PN'],
          ['PR', 'HLN'],
          ['UI', 'APN'],
          ...['VC', 'VI', 'VA', 'SC', 'SI', 'SA'].map((name) => [name, NONE_TO_HIGH] as const),
        ],
      ],
    ];

  test.each(METRICS)(
    'a metric of a vector of %s is worse, in any combination with others',
    (version, metrics) => {
      const levels = fc.tuple(...metrics.map(([, values]) => fc.nat({ max: values.length - 1 })));
      const written = (chosen: readonly number[]) =>
        [
          version,
          ...metrics.map(([name, values], index) => `${name}:${values.charAt(chosen[index] ?? 0)}`),
        ].join('/');
      const which = fc.nat({ max: metrics.length - 1 });
      fc.assert(
        fc.property(levels, fc.array(levels, { maxLength: 2 }), which, (own, others, at) => {
          const worst = (metrics[at]?.[1].length ?? 1) - 1;
          const worse = own.with(at, Math.min((own[at] ?? 0) + 1, worst));
          const risk = (chosen: readonly number[]) =>
            assess({ cvssVectors: [chosen, ...others].map(written) });
          expect(isAtLeast(risk(worse), risk(own))).toBe(true);
        }),
        { numRuns: 1_000 },
      );
    },
  );
});
