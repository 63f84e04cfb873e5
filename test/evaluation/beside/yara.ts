import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryDirectory } from '../../support/temporary.ts';
import type { Case, Source } from '../corpus.ts';
import { readMirror } from '../mirror.ts';

const FINDER = ['jvoisin/php-malware-finder', '87b6d7faa482'] as const;

/** `yara` with the rules of php-malware-finder, which name their whitelists themselves. */
export class Yara {
  readonly #mirror: string;
  readonly #rules: string;

  constructor(mirror: string) {
    this.#mirror = mirror;
    const folder = temporaryDirectory();
    this.#rules = join(folder, 'compiled');
    for (const { path, bytes } of readMirror(mirror, ...FINDER, (path) => /^data\/.*\.yar$/.test(path))) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), bytes);
    }
    execFileSync('yarac', ['--no-warnings', 'php.yar', this.#rules], { cwd: join(folder, 'data') });
  }

  /** The name of the tool with its version. */
  get name(): string {
    return `php-malware-finder ${FINDER[1]}, yara ${execFileSync('yara', ['--version']).toString().trim()}`;
  }

  /** How many of the cases of a source some rule matches. It reads whole files as they are stored: whitelists go by their hashes. */
  found(source: Source, cases: readonly Case[]): number {
    const wanted = new Set(cases.map(({ path }) => path));
    const folder = temporaryDirectory();
    const files = readMirror(this.#mirror, source.repository, source.commit, (path) => wanted.has(path));
    for (const [index, { bytes }] of files.entries()) writeFileSync(join(folder, String(index)), bytes);
    const lines = execFileSync(
      'yara',
      ['--no-warnings', '--threads=2', '--compiled-rules', this.#rules, '--recursive', folder],
      { maxBuffer: 1024 ** 3 },
    );
    rmSync(folder, { recursive: true });
    return new Set(lines.toString().match(/(?<= ).+/g)).size;
  }
}
