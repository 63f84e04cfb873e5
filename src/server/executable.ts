import { statSync } from 'node:fs';
import { BAKED_EXEC_ARGV } from '../lib/version.ts';

/** @returns a function that reports a change of the executable since the start; undefined = unchanged, or run from source */
export function watchExecutable(path = BAKED_EXEC_ARGV === undefined ? undefined : process.execPath) {
  const started = path === undefined ? undefined : statusOf(path);
  return () => {
    if (path === undefined || started === undefined) return undefined;
    const now = statusOf(path);
    if (now === undefined) return 'missing';
    return now === started ? undefined : 'replaced';
  };
}

/** Identifies a file and its last change; undefined if it cannot be read. */
function statusOf(path: string): string | undefined {
  try {
    const { dev, ino, mtimeNs } = statSync(path, { bigint: true });
    return `${dev} ${ino} ${mtimeNs}`;
  } catch {
    return undefined;
  }
}
