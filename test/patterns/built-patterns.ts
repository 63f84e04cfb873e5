import { join } from 'node:path';
import { MODULES, type Pattern, ROOT } from './source-patterns.ts';

// A separate process: loads the source, analyses every case, and prints the patterns built meanwhile.

const found = new Map<string, Pattern>();

/** The place in the source that built a pattern, or none: libraries build patterns too. */
function asker(): { file: string; line: number } | undefined {
  const frames = (new Error().stack ?? '').split('\n').slice(1);
  const frame = frames.find((each) => each.includes('/') && !each.includes(import.meta.path)) ?? '';
  const [, file, line] = /\/(src\/[^:()]+\.tsx?):(\d+)/.exec(frame.replace(ROOT, '')) ?? [];
  return file === undefined || frame.includes('node_modules') ? undefined : { file, line: Number(line) };
}

function note(pattern: RegExp): RegExp {
  const key = `${pattern.flags}/${pattern.source}`;
  const place = found.has(key) ? undefined : asker();
  if (place) found.set(key, { source: pattern.source, flags: pattern.flags, ...place, name: '' });
  return pattern;
}

globalThis.RegExp = new Proxy(RegExp, {
  construct: (target, given, as) => note(Reflect.construct(target, given, as)),
  apply: (target, self, given) => note(Reflect.apply(target, self, given)),
});

for (const module of MODULES) await import(join(ROOT, module));

const { analyze } = await import('../../src/analysis/analysis.ts');
const { OWN_CASES } = await import('../evaluation/cases/index.ts');
for (const { cases } of OWN_CASES) for (const each of cases) analyze(each);

process.stdout.write(JSON.stringify([...found.values()]), () => process.exit(0));
