/**
 * Shows what each signal is worth where it was not written: `bun test/evaluation/signal-sources.ts --mirror DIR` prints, of each, the
 * sources with malicious contents in which it fires (those that it was written from do not count), how many contents these are, and
 * in how many clean ones it fires and speaks for a wrong verdict. `--only WORD` reads one category, `--every N` one clean file of code in N. A signal that fires in fewer than
 * two sources is marked: it needs a documented technique with a case, or it goes.
 */
import { parseArgs } from 'node:util';
import type { Signal } from '../../src/analysis/signal.ts';
import { judge } from '../../src/analysis/verdict.ts';
import { TABLES } from '../analysis/shown/index.ts';
import { tryContents } from './held-out.ts';
import { isWrittenFrom } from './written-from.ts';

const { values: options } = parseArgs({
  options: {
    mirror: { type: 'string' },
    only: { type: 'string', default: '' },
    every: { type: 'string', default: '1' },
  },
});
if (options.mirror === undefined) {
  console.error('bun test/evaluation/signal-sources.ts --mirror DIR [--only WORD] [--every N]');
  process.exit(1);
}

const SOURCES_MIN = 2;

interface Use {
  /** Malicious contents of each source that the signal was not written from. */
  readonly sources: Map<string, number>;
  /** Malicious contents of the others. */
  tuned: number;
  clean: number;
  mistakes: number;
}

const uses = new Map<Signal, Use>();
const useOf = (signal: Signal): Use => {
  const use = uses.get(signal) ?? { sources: new Map(), tuned: 0, clean: 0, mistakes: 0 };
  uses.set(signal, use);
  return use;
};

const { mirror, only } = options;
for (const { source, case: each, findings } of tryContents({
  mirror,
  only,
  every: Number(options.every),
  isWanted: () => true,
})) {
  const isMistake = source.label === 'clean' && judge(findings, each.inputType).verdict !== 'clean';
  for (const { signal } of findings) {
    const use = useOf(signal);
    if (source.label === 'clean') {
      use.clean++;
      if (isMistake) use.mistakes++;
    } else if (isWrittenFrom(signal, source.repository)) use.tuned++;
    else use.sources.set(source.repository, (use.sources.get(source.repository) ?? 0) + 1);
  }
}

const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0);
for (const { name: table, signals } of TABLES) {
  const rows = Object.entries(signals).flatMap(([name, steps]) => {
    const of = [steps].flat().map(useOf);
    const sources = new Set(of.flatMap((use) => [...use.sources.keys()]));
    const [{ weight }] = [steps].flat() as [Signal];
    return {
      signal: `${table}.${name}`,
      weight,
      sources: sources.size,
      malicious: sum(of.flatMap((use) => [...use.sources.values()])),
      'where it was written': sum(of.map(({ tuned }) => tuned)),
      clean: sum(of.map(({ clean }) => clean)),
      'in mistakes': sum(of.map(({ mistakes }) => mistakes)),
      doubtful: weight > 0 && sources.size < SOURCES_MIN ? '*' : '',
    };
  });
  if (rows.some(({ malicious, clean }) => malicious + clean > 0)) console.table(rows);
}
