/**
 * The number of files that a core checks in a second: `FILES=FOLDER bun test/bench/files.bench.ts`, with
 * ordinary files such as those of WordPress core below FOLDER, 400 of each kind unless `COUNT` is set. In
 * processor time, so that other processes do not count: with the runtime's compiler, and without it, as under
 * the unit. With `PHP_MALWARE_FINDER=FOLDER`, a checkout of jvoisin/php-malware-finder, `yara` scans the PHP
 * with its rules.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AnalysisRequest, analyze } from '../../src/analysis/analysis.ts';
import { windowsOf } from '../../src/analysis/windows.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const ROUNDS = 3;
const BYTES_MAX = 1024 * 1024;
const MICROSECONDS = 1_000_000;
const { FILES, PHP_MALWARE_FINDER, BUN_JSC_useJIT, PART, COUNT = '400' } = process.env;
const FILES_MAX = Number(COUNT);
if (FILES === undefined) throw new Error('FILES names a folder of ordinary files.');

/** Files with an extension, spread over all of them. */
function filesOf(folder: string, ending: string): readonly string[] {
  const all = [...new Bun.Glob(`**/*.${ending}`).scanSync({ cwd: folder, absolute: true })].sort();
  const small = all.filter((path) => Bun.file(path).size <= BYTES_MAX && Bun.file(path).size > 0);
  const step = Math.max(1, small.length / FILES_MAX);
  return Array.from(
    { length: Math.min(FILES_MAX, small.length) },
    (_, at) => small[Math.floor(at * step)] ?? '',
  );
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
const row = (what: string, paths: readonly string[], rates: readonly number[]) => ({
  checker: what,
  files: paths.length,
  'mean KiB': Math.round(paths.reduce((sum, path) => sum + Bun.file(path).size, 0) / paths.length / 1024),
  'files a second and core, median': Math.round(median(rates)),
  'of all rounds': rates.map(Math.round).join(' '),
});

function measure(paths: readonly string[]): number[] {
  const contents: readonly AnalysisRequest[] = paths.map((path) => ({
    inputType: 'code',
    content: readFileSync(path, 'utf8'),
  }));
  const round = () => {
    const before = process.cpuUsage();
    for (const content of contents) for (const window of windowsOf(content)) analyze(window);
    const { user, system } = process.cpuUsage(before);
    return (contents.length * MICROSECONDS) / (user + system);
  };
  round();
  return Array.from({ length: ROUNDS }, round);
}

function measureYara(finder: string, paths: readonly string[]): number[] {
  const list = join(temporaryDirectory(), 'files');
  writeFileSync(list, `${paths.join('\n')}\n`);
  const rules = join(finder, 'data', 'php.yar');
  return Array.from({ length: ROUNDS }, () => {
    const { resourceUsage, exitCode, stderr } = Bun.spawnSync({
      cmd: ['yara', '--no-warnings', '--threads=1', rules, '--scan-list', list],
      cwd: join(finder, 'data'),
    });
    if (exitCode !== 0) throw new Error(`yara: ${stderr}`);
    return (paths.length * MICROSECONDS) / Number(resourceUsage?.cpuTime.total ?? 1);
  });
}

if (PART === undefined) {
  for (const useJit of ['1', '0'])
    spawnSync(process.execPath, [import.meta.path], {
      env: { ...process.env, PART: 'engine', BUN_JSC_useJIT: useJit },
      stdio: 'inherit',
    });
  const php = filesOf(FILES, 'php');
  if (PHP_MALWARE_FINDER !== undefined)
    console.table([row('yara, php-malware-finder, PHP', php, measureYara(PHP_MALWARE_FINDER, php))]);
} else {
  const compiler = BUN_JSC_useJIT === '0' ? 'without compiler' : 'with compiler';
  console.table(
    ['php', 'js'].map((ending) => {
      const paths = filesOf(FILES, ending);
      return row(`Redoubt ${compiler}, ${ending}`, paths, measure(paths));
    }),
  );
}
