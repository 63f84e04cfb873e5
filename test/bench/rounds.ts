/** Measures two subjects in turn, so that other work on the machine affects both. */
export async function interleaved<Subject, Measured>(
  rounds: number,
  subjects: readonly [Subject, Subject],
  measure: (subject: Subject) => Promise<Measured>,
): Promise<[Measured, Measured][]> {
  const measured: [Measured, Measured][] = [];
  for (let round = 0; round < rounds; round++) {
    // Each is the first one in every other round.
    if (round % 2 === 0) measured.push([await measure(subjects[0]), await measure(subjects[1])]);
    else {
      const second = await measure(subjects[1]);
      measured.push([await measure(subjects[0]), second]);
    }
  }
  return measured;
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** A row that compares this tree with another commit: medians, the median of the ratios, and each of these. */
export function comparedRow(name: string, pairs: readonly (readonly [number, number])[]): string {
  const ratios = pairs.map(([ours, theirs]) => ours / theirs);
  const [ours, theirs] = [median(pairs.map(([value]) => value)), median(pairs.map(([, value]) => value))];
  const each = ratios.map((ratio) => ratio.toFixed(2)).join(' ');
  return `| ${name} | ${shown(ours)} | ${shown(theirs)} | ${median(ratios).toFixed(2)} | ${each} |`;
}

export const comparedHead = (commit: string): string =>
  `| Case | This tree | ${commit} | Ratio | Of each round |\n|---|---:|---:|---:|---|`;

export function shown(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(2);
}
