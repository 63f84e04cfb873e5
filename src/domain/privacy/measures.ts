/** The allowed types of leaves below a key, as a set of bits. */
export type Leaf = number;
export const NO_LEAF: Leaf = 0;
export const NUMBER: Leaf = 1;
export const BOOLEAN: Leaf = 2;
export const TOKEN: Leaf = 4;
export const TEXT: Leaf = 8;
export const ANY_LEAF: Leaf = 15;

/** The type of a leaf. A token is what an enum's values look like: short, without spaces. */
export function leafOf(value: string | number | boolean): Leaf {
  if (typeof value === 'number') return NUMBER;
  if (typeof value === 'boolean') return BOOLEAN;
  return ENUM_TOKEN.test(value) ? TOKEN : TEXT;
}

/** The types of leaf of a measurement named by these words; NO_LEAF for other words. */
export function measuredLeaves(words: readonly string[]): Leaf {
  const [first = '', second = ''] = words;
  return (
    MEASURING_LAST.get(words.at(-1) ?? '') ??
    MEASURING_FIRST.get(first) ??
    MEASURING_FIRST.get(`${first} ${second}`) ??
    NO_LEAF
  );
}

/** Words that make a measurement of the key that they end. */
export const MEASURING_LAST: ReadonlyMap<string, Leaf> = leavesByWord([
  [
    NUMBER,
    'count counts ratio ratios score scores percent percentage pct rate total sum average avg ' +
      'mean median max min age seconds minutes hours days weeks months years length size depth ' +
      'limit index coverage',
  ],
  [
    NUMBER | BOOLEAN,
    'enabled disabled included excluded present absent required enforced allowed blocked ' +
      'protected encrypted configured rotated monitored detected exposed supported active expired ' +
      'verified redacted restricted managed reused unused stale dormant outdated missing available ' +
      'tested isolated',
  ],
  [
    NUMBER | BOOLEAN | TOKEN,
    'bucket band level class tier grade status state policy mode kind type category trend posture ' +
      'strength maturity frequency interval',
  ],
]);

/** Words that make a measurement of the key that they begin. */
export const MEASURING_FIRST: ReadonlyMap<string, Leaf> = new Map([
  ...leavesByWord([
    [BOOLEAN, 'is has uses requires'],
    [NUMBER, 'total num'],
  ]),
  ['number of', NUMBER],
  ['count of', NUMBER],
]);

function leavesByWord(rows: readonly (readonly [Leaf, string])[]): Map<string, Leaf> {
  return new Map(rows.flatMap(([leaves, words]) => words.split(' ').map((word) => [word, leaves] as const)));
}

const ENUM_TOKEN = /^[A-Za-z0-9_+<>=./-]{1,32}$/;
