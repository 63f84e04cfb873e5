import type { RiskFacts } from '../../../src/domain/risk/facts.ts';
import { assessRisk, type Risk } from '../../../src/domain/risk/risk.ts';

/** Without any data. */
export const NOTHING: RiskFacts = {
  cvssVectors: [],
  epss: null,
  epssMedian: null,
  knownExploited: [],
  ssvc: null,
  hasPublicExploit: false,
  assertedExploitation: null,
  exposure: null,
  importance: null,
  component: null,
};

/** The risk of these facts, without other data. */
export const assess = (more: Partial<RiskFacts>): Risk => assessRisk({ ...NOTHING, ...more });

export const TAKEOVER = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H';
export const SQL_INJECTION = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N';
export const STORED_XSS = 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:C/C:L/I:L/A:N';
export const KERNEL = 'CVSS:3.1/AV:L/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H';

export const LISTED = { catalogue: 'cisa', since: Date.UTC(2026, 9, 2), ransomware: false };

export const epss = (probability: number) => ({
  probability,
  percentile: 0.5,
  modelVersion: 'v2026.06.15',
  scoreDate: Date.UTC(2026, 9, 4, 12),
});

export const component = (fixedVersions: readonly string[], removable = true) => ({
  name: 'contact-form',
  fixedVersions,
  removable,
});

/** All ways to take one value from each list, the first list changing fastest. */
export function* combinations<Value>(lists: readonly (readonly Value[])[]): Generator<Value[]> {
  const total = lists.reduce((product, list) => product * list.length, 1);
  for (let index = 0; index < total; index++) {
    let rest = index;
    yield lists.map((list) => {
      const value = list[rest % list.length] as Value;
      rest = Math.floor(rest / list.length);
      return value;
    });
  }
}
