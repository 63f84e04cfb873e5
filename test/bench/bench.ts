import { type Case, casesOf } from './cases.ts';
import { expectRightAnswers } from './checks.ts';
import { expectWrk } from './load.ts';
import { startCeilings, startService } from './subjects.ts';

// Measures the executable beside what this machine could do at best, in one run, and prints the table.

const ROUNDS = 3;

expectWrk();
const service = await startService();
const ceilings = await startCeilings(await expectRightAnswers(service));
const cases = casesOf(service, ceilings);

for (const { warmUp } of cases) await warmUp();
const rounds: Map<Case, [number, number]>[] = [];
for (let round = 0; round < ROUNDS; round++) {
  const measured = new Map<Case, [number, number]>();
  for (const each of cases) measured.set(each, [await each.ours(), await each.ceiling()]);
  rounds.push(measured);
}

console.log('| Case | Ours | Ceiling | Ratio | Target | |\n|---|---:|---:|---:|---:|---|');
for (const each of cases) {
  const pairs = rounds.map((measured) => measured.get(each) ?? ([0, 0] as const));
  const ratio = median(pairs.map(([ours, ceiling]) => ours / ceiling));
  const ours = shown(median(pairs.map(([value]) => value)));
  const ceiling = shown(median(pairs.map(([, value]) => value)));
  const { name, unit, target, holds } = each;
  const verdict = target === '' ? '' : holds(ratio) ? 'reached' : '**missed**';
  console.log(
    `| ${name} | ${ours} ${unit} | ${ceiling} ${unit} | ${ratio.toFixed(2)} | ${target} | ${verdict} |`,
  );
}
process.exit(0);

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

function shown(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(2);
}
