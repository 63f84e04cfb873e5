import { realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const ROOT = 0;
const WRITABLE_BY_OTHERS = 0o022;
const STICKY = 0o1000;

/**
 * Why users other than root and this process's could have a file of theirs at a path, in words for the operator; undefined when they
 * cannot.
 */
export function whyReplaceable(path: string): string | undefined {
  const folder = dirname(path);
  let real: string;
  try {
    real = realpathSync(folder);
  } catch {
    return `there is no folder ${folder}: make it, closed to other users`;
  }
  const user = process.geteuid?.();
  for (const each of foldersAbove(real)) {
    const { uid, mode } = statSync(each);
    if (uid !== ROOT && uid !== user)
      return `${each} belongs to another user, who could listen in its place: name another folder`;
    // In a folder such as /tmp others cannot move what is there, but could be first.
    const isGuarded = (mode & STICKY) !== 0 && each !== real;
    if ((mode & WRITABLE_BY_OTHERS) !== 0 && !isGuarded)
      return `other users can write in ${each}, and could listen in its place: chmod go-w ${each}, or name another folder`;
  }
  return undefined;
}

/** A folder and those above it. */
const foldersAbove = (folder: string): string[] =>
  folder === '/' ? [folder] : [folder, ...foldersAbove(dirname(folder))];
