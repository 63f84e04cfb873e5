import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

export interface MirrorFile {
  readonly path: string;
  readonly content: string;
  /** As stored, in any encoding. */
  readonly bytes: Buffer;
}

const OUTPUT_BYTES_MAX = 1024 ** 3;

/** The files of one commit of a bare clone that are wanted. Files that the clone lacks are left out. */
export function readMirror(
  mirror: string,
  source: string,
  commit: string,
  isWanted: (path: string) => boolean,
): MirrorFile[] {
  const clone = join(mirror, source.replace('/', '+'), 'repo');
  const gitDir = existsSync(join(clone, '.git')) ? join(clone, '.git') : clone;
  const git = (args: readonly string[], input?: string) =>
    execFileSync('git', [`--git-dir=${gitDir}`, ...args], { input, maxBuffer: OUTPUT_BYTES_MAX });

  const entries = git(['ls-tree', '-r', '-z', commit])
    .toString('utf8')
    .split('\0')
    .map((line) => /^\d+ blob (\w+)\t(.+)$/s.exec(line))
    .filter((entry) => entry !== null)
    .map(([, id = '', path = '']) => ({ id, path }))
    .filter(({ path }) => isWanted(path));
  const batch = git(['cat-file', '--batch'], entries.map(({ id }) => `${id}\n`).join(''));

  const files: MirrorFile[] = [];
  let at = 0;
  for (const { path } of entries) {
    const headerEnd = batch.indexOf(10, at);
    const [, type, size] = batch.toString('latin1', at, headerEnd).split(' ');
    at = headerEnd + 1;
    if (type !== 'blob') continue;
    const bytes = batch.subarray(at, at + Number(size));
    files.push({ path, content: bytes.toString('utf8'), bytes });
    at += Number(size) + 1;
  }
  return files;
}
