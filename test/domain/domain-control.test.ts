import { describe, expect, test } from 'bun:test';
import * as fc from 'fast-check';
import {
  answersFor,
  challengeFor,
  holdsToken,
  isProvable,
  judgeTexts,
} from '../../src/domain/domain-control/challenge.ts';
import {
  CHECK_METHODS,
  type CheckResult,
  CONTROL_PROBLEMS,
  controlAfter,
  controlState,
  type DomainControl,
  nextCheckAt,
} from '../../src/domain/domain-control/control.ts';
import { DAY_MS, HOUR_MS } from '../../src/lib/clock.ts';

const NOW = Date.UTC(2026, 10, 23);
const proven: DomainControl = {
  method: 'http',
  verifiedAt: NOW,
  checkedAt: NOW,
  failedSince: null,
  problem: null,
};
const failing: DomainControl = {
  ...proven,
  checkedAt: NOW + DAY_MS,
  failedSince: NOW + DAY_MS,
  problem: 'not_found',
};

describe('control of a domain', () => {
  test('is valid for 30 days without a check, and for 72 hours from the first that fails', () => {
    const states = (control: DomainControl | undefined, ...moments: number[]) =>
      moments.map((at) => controlState(control, at));
    expect(states(undefined, NOW)).toEqual(['unverified']);
    expect(states({ ...failing, verifiedAt: null }, NOW)).toEqual(['unverified']);
    expect(states(proven, NOW, NOW + 30 * DAY_MS - 1, NOW + 30 * DAY_MS)).toEqual([
      'verified',
      'verified',
      'lapsed',
    ]);
    const since = NOW + DAY_MS;
    expect(states(failing, since, since + 72 * HOUR_MS - 1, since + 72 * HOUR_MS)).toEqual([
      'verified',
      'verified',
      'lapsed',
    ]);
    expect(states({ ...proven, method: 'operator' }, NOW + 3_650 * DAY_MS)).toEqual(['verified']);
  });

  test('is checked once a day, until its proof has been missing for 30 days', () => {
    expect(nextCheckAt(proven)).toBe(NOW + DAY_MS);
    expect(nextCheckAt(failing)).toBe(NOW + 2 * DAY_MS);
    const late = (days: number) => ({ ...failing, checkedAt: NOW + days * DAY_MS });
    expect(nextCheckAt(late(30))).toBe(NOW + 31 * DAY_MS);
    expect(nextCheckAt(late(31))).toBeNull();
    expect(nextCheckAt({ ...failing, verifiedAt: null })).toBeNull();
    expect(nextCheckAt({ ...proven, method: 'operator' })).toBeNull();
  });

  test('is unaffected by a failed check of another method, and by any check while the operator attests it', () => {
    const check = (more: Partial<CheckResult>): CheckResult => ({
      method: 'dns',
      problem: 'not_found',
      checkedAt: NOW + 1,
      ...more,
    });
    expect(controlAfter(proven, check({}))).toBe(proven);
    expect(controlAfter(proven, check({ problem: null }))).toEqual({
      ...proven,
      method: 'dns',
      verifiedAt: NOW + 1,
      checkedAt: NOW + 1,
    });
    const vouched: DomainControl = { ...proven, method: 'operator' };
    for (const problem of [null, 'wrong_token'] as const)
      expect(controlAfter(vouched, check({ problem }))).toBe(vouched);
  });

  test('needs a proof found within 30 days, independent of earlier checks', () => {
    const checks = fc.array(
      fc.record({
        method: fc.constantFrom(...CHECK_METHODS),
        problem: fc.constantFrom(null, null, ...CONTROL_PROBLEMS),
        laterByMs: fc.integer({ min: 1, max: 10 * DAY_MS }),
      }),
      { minLength: 1, maxLength: 30 },
    );
    fc.assert(
      fc.property(checks, (made) => {
        let now = NOW;
        let control: DomainControl | undefined;
        let foundAt = -Infinity;
        for (const { laterByMs, ...check } of made) {
          now += laterByMs;
          if (check.problem === null) foundAt = now;
          control = controlAfter(control, { ...check, checkedAt: now });
          if (check.problem === null) expect(controlState(control, now)).toBe('verified');
          if (now - foundAt >= 30 * DAY_MS) expect(controlState(control, now)).not.toBe('verified');
        }
      }),
    );
  });
});

describe('a challenge', () => {
  const TOKEN = 'a'.repeat(43);
  const { httpUrl, dnsName, dnsValue } = challengeFor('shop.com', TOKEN);

  test('names a file and a record of the domain itself', () => {
    expect([httpUrl, dnsName, dnsValue]).toEqual([
      'https://shop.com/.well-known/redoubt-challenge.txt',
      '_redoubt-challenge.shop.com',
      `token=${TOKEN} expiry=never`,
    ]);
  });

  test.each([
    [TOKEN, true],
    [`${TOKEN}\n`, true],
    [`# ours\r\n ${TOKEN}\t\r\n`, true],
    [`${'b'.repeat(43)}\n${TOKEN}`, true],
    [`token=${TOKEN}`, false],
    [`${TOKEN} ${TOKEN}`, false],
    [`<p>${TOKEN}</p>`, false],
    [TOKEN.toUpperCase(), false],
    ['', false],
  ])('in a file is a line of its own: %j', (text, holds) => {
    expect(holdsToken(text, TOKEN)).toBe(holds);
  });

  test.each([
    [[dnsValue], null],
    [[`token=${TOKEN}`], null],
    [['v=spf1 -all', 'token=other expiry=never', ` ${dnsValue}  ref=1 `], null],
    [[`token=${TOKEN} expiry=2026-11-23T00:00:01Z`], null],
    [[`token=${TOKEN} expiry=2026-11-23T00:00:00Z`], 'wrong_token'],
    [[`token=${TOKEN} expiry=soon`], 'wrong_token'],
    [['token=other'], 'wrong_token'],
    [['token=', TOKEN], 'wrong_token'],
    [['v=spf1 -all'], 'not_found'],
    [[`expiry=never token=${TOKEN}`], 'not_found'],
    [[], 'not_found'],
  ] as const)('in records is a separate string: %j', (texts, problem) => {
    expect(judgeTexts(texts, TOKEN, NOW)).toBe(problem);
  });

  test('does not exist for an address or a public suffix, and for private names only where they are scanned', () => {
    const names = ['shop.com', 'a.b.shop.co.uk', 'alice.github.io', 'intranet.corp'];
    const unprovable = ['com', 'co.uk', 'github.io', 'localhost', '192.0.2.1', '[2001:db8::1]'];
    expect(names.map((name) => isProvable(name, false))).toEqual(names.map(() => true));
    expect(unprovable.map((name) => isProvable(name, false))).toEqual(unprovable.map(() => false));
    expect(isProvable('localhost', true)).toBe(true);
  });

  test('is answered by the domain itself or its www, never by another subdomain', () => {
    expect(['shop.com', 'www.shop.com', 'SHOP.com.'].map((host) => answersFor('shop.com', host))).toEqual([
      true,
      true,
      true,
    ]);
    const others = ['a.shop.com', 'www.a.shop.com', 'shop.com.evil.org', 'evilshop.com', 'www.www.shop.com'];
    expect(others.map((host) => answersFor('shop.com', host))).toEqual(others.map(() => false));
  });
});
