import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { cvssSeverity, readCvss, weighCvss } from '../../../src/domain/risk/cvss.ts';
import { CVSS_4_FIGURES, CVSS_4_TIES } from './first-figures.ts';
import { combinations, KERNEL, SQL_INJECTION, STORED_XSS, TAKEOVER } from './known.ts';

/** Each base metric of version 3 with its values and their weights (CVSS 3.1, section 7.4). */
const METRICS_3 = {
  AV: { N: 0.85, A: 0.62, L: 0.55, P: 0.2 },
  AC: { L: 0.77, H: 0.44 },
  PR: { N: 0.85, L: 0.62, H: 0.27 },
  UI: { N: 0.85, R: 0.62 },
  S: { U: 0, C: 1 },
  C: { H: 0.56, L: 0.22, N: 0 },
  I: { H: 0.56, L: 0.22, N: 0 },
  A: { H: 0.56, L: 0.22, N: 0 },
} as const;
/** Privileges weigh more where the scope changes. */
const PRIVILEGES_CHANGED: Readonly<Record<string, number>> = { N: 0.85, L: 0.68, H: 0.5 };

/** CVSS 3.1, appendix A: the smallest number with one decimal that is not lower. */
function roundUp(value: number): number {
  const whole = Math.round(value * 100_000);
  return whole % 10_000 === 0 ? whole / 100_000 : (Math.floor(whole / 10_000) + 1) / 10;
}

/** CVSS 3.1, section 7.1. */
function baseScore(values: Readonly<Record<string, string>>): number {
  const weigh = (name: keyof typeof METRICS_3) =>
    (METRICS_3[name] as Readonly<Record<string, number>>)[values[name] as string] as number;
  const changed = values.S === 'C';
  const privileges = changed ? (PRIVILEGES_CHANGED[values.PR as string] as number) : weigh('PR');
  const subScore = 1 - (1 - weigh('C')) * (1 - weigh('I')) * (1 - weigh('A'));
  const impact = changed ? 7.52 * (subScore - 0.029) - 3.25 * (subScore - 0.02) ** 15 : 6.42 * subScore;
  const exploitability = 8.22 * weigh('AV') * weigh('AC') * privileges * weigh('UI');
  if (impact <= 0) return 0;
  return roundUp(Math.min((changed ? 1.08 : 1) * (impact + exploitability), 10));
}

const NAMES_3 = Object.keys(METRICS_3) as (keyof typeof METRICS_3)[];
const vectorOf = (metrics: readonly string[]) => `CVSS:3.1/${metrics.join('/')}`;
const VECTORS_3 = [
  ...combinations(NAMES_3.map((name) => Object.keys(METRICS_3[name]).map((value) => `${name}:${value}`))),
];

test('every base vector of CVSS 3.1 scores according to the formula of its specification', () => {
  const wrong = VECTORS_3.map((metrics) => {
    const expected = baseScore(Object.fromEntries(metrics.map((metric) => metric.split(':'))));
    return [vectorOf(metrics), readCvss(vectorOf(metrics))?.score, expected] as const;
  }).filter(([, score, expected]) => score !== expected);
  expect([VECTORS_3.length, wrong]).toEqual([2592, []]);
});

test.each(CVSS_4_FIGURES)('CVSS:4.0/%s scores %d, as published by FIRST', (metrics, score) => {
  expect(readCvss(`CVSS:4.0/${metrics}`)?.score).toBe(score);
});

test.each(CVSS_4_TIES)(
  'CVSS:4.0/%s is a tie, with %d at FIRST and the tenth below here',
  (metrics, roundedUp) => {
    const cvss = readCvss(`CVSS:4.0/${metrics}`);
    expect(Math.round((cvss?.score ?? 0) * 10)).toBe(roundedUp * 10 - 1);
    expect(cvss?.severity).toBe(roundedUp >= 7 ? 'high' : 'medium');
  },
);

const BASE_4 = 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N';

test('threat, environment and supplements do not change the score', () => {
  for (const more of [
    'E:U',
    'E:A',
    'E:X/CR:L/IR:L/AR:L',
    'MAV:P/MVC:N/MSI:S',
    'S:P/AU:N/R:A/V:D/RE:L/U:Amber',
  ])
    expect(readCvss(`${BASE_4}/${more}`)?.score).toBe(9.3);
  for (const more of ['E:U/RL:O/RC:U', 'MAV:P/MC:N', 'CR:L/IR:L/AR:L'])
    expect(readCvss(`${TAKEOVER}/${more}`)?.score).toBe(9.8);
});

test.each([
  [TAKEOVER, 'critical'],
  ['CVSS:3.0/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 'critical'],
  ['CVSS:3.1/AV:N/AC:L/PR:H/UI:N/S:C/C:H/I:H/A:H', 'critical'],
  [SQL_INJECTION, 'high'],
  ['CVSS:4.0/AV:P/AC:H/AT:P/PR:N/UI:N/VC:H/VI:H/VA:N/SC:H/SI:H/SA:H', 'high'],
  ['CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:L/VI:L/VA:N/SC:N/SI:L/SA:N', 'medium'],
  ['CVSS:4.0/AV:N/AC:H/AT:N/PR:H/UI:A/VC:N/VI:N/VA:N/SC:N/SI:H/SA:N', 'medium'],
  ['CVSS:4.0/AV:N/AC:L/AT:P/PR:L/UI:N/VC:N/VI:N/VA:N/SC:N/SI:L/SA:N', 'low'],
  ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N', 'none'],
])('the rating of %s is %s', (vector, severity) => {
  expect<string | undefined>(readCvss(vector)?.severity).toBe(severity);
});

describe('a malformed vector has no score', () => {
  const bad = [
    '',
    'CVSS:3.1',
    'CVSS:3.1/',
    'AV:N/AC:L/Au:N/C:P/I:P/A:P',
    'CVSS:2.0/AV:N/AC:L/Au:N/C:P/I:P/A:P',
    'CVSS:3.7/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
    'cvss:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
    'CVSS:3.1/AV/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
    'CVSS:3.1/AV:/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
    'CVSS:3.1/AV:N:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
    'CVSS:3.1XAV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
    `${TAKEOVER}/`,
    `${TAKEOVER}/AV:N`,
    `${TAKEOVER}/E`,
    `${TAKEOVER}/E:Q`,
    `${TAKEOVER}/E:A`,
    `${TAKEOVER}\n`,
    ` ${TAKEOVER}`,
    TAKEOVER.replace('/A:H', ''),
    TAKEOVER.replace('AV:N', 'AV:X'),
    BASE_4.replace('/SA:N', ''),
    BASE_4.replace('AV:N/AC:L', 'AC:L/AV:N'),
    `${BASE_4}:N`,
    `${BASE_4}/U:Purple`,
    `${TAKEOVER}${'/E:H'.repeat(100_000)}`,
  ];
  test.each(bad)('%#', (vector) => {
    expect(readCvss(vector)).toBeUndefined();
    expect(weighCvss([vector])).toBeUndefined();
  });

  test('and a damaged vector never scores outside of 0 to 10', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(TAKEOVER, BASE_4),
        fc.nat({ max: 70 }),
        fc.string({ maxLength: 3 }),
        (vector, at, put) => {
          const read = readCvss(vector.slice(0, at) + put + vector.slice(at + 1));
          expect(read === undefined || (read.score >= 0 && read.score <= 10)).toBe(true);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe('an attack can be automated', () => {
  test.each([
    [TAKEOVER, 'yes'],
    [BASE_4, 'yes'],
    [TAKEOVER.replace('AV:N', 'AV:A'), 'no'],
    [TAKEOVER.replace('AC:L', 'AC:H'), 'no'],
    [TAKEOVER.replace('PR:N', 'PR:L'), 'no'],
    [TAKEOVER.replace('UI:N', 'UI:R'), 'no'],
    [BASE_4.replace('AT:N', 'AT:P'), 'no'],
    [`${BASE_4}/AU:N`, 'no'],
    [`${BASE_4.replace('UI:N', 'UI:A')}/AU:Y`, 'yes'],
    [`${BASE_4}/AU:X`, 'yes'],
  ])('%s: %s', (vector, expected) => {
    expect<string | undefined>(readCvss(vector)?.automatable).toBe(expected);
  });
});

test('the impact is total when confidentiality, integrity and availability of the system itself are all lost', () => {
  const impact = (vector: string): string | undefined => readCvss(vector)?.technicalImpact;
  expect([TAKEOVER, KERNEL, BASE_4].map(impact)).toEqual(['total', 'total', 'total']);
  expect([SQL_INJECTION, STORED_XSS, BASE_4.replace('VA:H/SC:N', 'VA:L/SC:H')].map(impact)).toEqual([
    'partial',
    'partial',
    'partial',
  ]);
});

test.each([
  [`${BASE_4}/E:A`, 'active'],
  [`${BASE_4}/E:P`, 'poc'],
  [`${BASE_4}/E:U`, 'none'],
  [`${TAKEOVER}/E:H`, 'poc'],
  [`${TAKEOVER}/E:F`, 'poc'],
  [`${TAKEOVER}/E:P`, 'poc'],
  [`${TAKEOVER}/E:U`, 'none'],
  [TAKEOVER, 'none'],
])('%s states exploitation as %s', (vector, expected) => {
  expect<string | undefined>(readCvss(vector)?.exploitation).toBe(expected);
});

describe('of several vectors', () => {
  test('the newest version is used, of several the highest, in any order', () => {
    const vectors = [BASE_4.replace('VC:H', 'VC:L'), BASE_4.replace('VC:H/VI:H/VA:H', 'VC:L/VI:L/VA:L')];
    fc.assert(
      fc.property(fc.shuffledSubarray([TAKEOVER, ...vectors, 'CVSS:9'], { minLength: 4 }), (all) => {
        expect(weighCvss(all)?.shown.vector).toBe(vectors[0] as string);
      }),
    );
    expect(weighCvss([SQL_INJECTION, TAKEOVER, 'no vector'])?.shown.score).toBe(9.8);
    const asGreat = SQL_INJECTION.replace('C:H/I:N', 'C:N/I:H');
    for (const both of [
      [SQL_INJECTION, asGreat],
      [asGreat, SQL_INJECTION],
    ])
      expect(weighCvss(both)?.shown.vector).toBe(SQL_INJECTION);
  });

  test('the strongest statement on automation and impact counts, and on exploitation of any version', () => {
    const takenOverByUsers = TAKEOVER.replace('PR:N', 'PR:L').replace('S:U', 'S:C');
    const both = weighCvss([SQL_INJECTION, takenOverByUsers]);
    expect([both?.shown.vector, both?.automatable, both?.technicalImpact]).toEqual([
      takenOverByUsers,
      'yes',
      'total',
    ]);
    const older = weighCvss([`${SQL_INJECTION}/E:F`, BASE_4]);
    expect(older?.exploitation).toEqual({ value: 'poc', version: '3.1' });
    expect(older?.shown.version).toBe('4.0');
  });

  test('without any, the severity is unknown and not none', () => {
    expect([cvssSeverity(weighCvss([])), cvssSeverity(weighCvss([TAKEOVER]))]).toEqual([
      'unknown',
      'critical',
    ]);
  });
});
