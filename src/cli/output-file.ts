import { openSync } from 'node:fs';
import { dirname } from 'node:path';
import { type PathStep, stepsTo } from '../lib/path-steps.ts';
import { userName } from '../lib/user-name.ts';
import { CommandRefused } from './output.ts';

const ROOT = 0;
const STICKY = 0o1000;
const WRITABLE_BY_GROUP = 0o020;
const WRITABLE_BY_ALL = 0o002;

/**
 * Creates a file that an operator names, for its owner alone. Nothing is replaced and no link is followed, and the path is one that
 * no other user can lead elsewhere.
 *
 * @returns its descriptor
 * @throws CommandRefused, and what the file system throws
 */
export function createOutputFile(path: string): number {
  refuseForeignPath(path);
  return openSync(path, 'wx', 0o600);
}

/**
 * Refuses a path for an operator's file that leads through a directory or a link of another user than root and this one, or through a
 * directory in which others may write: they could lead it to a file or a place of their choice.
 *
 * @throws CommandRefused
 */
export function refuseForeignPath(path: string): void {
  const user = process.geteuid?.();
  if (user === undefined) return;
  const steps = stepsTo(dirname(path));
  const foreign = steps.find(({ status }) => status.uid !== ROOT && status.uid !== user);
  if (foreign) {
    const owner = userName(foreign.status.uid) ?? `the user ${foreign.status.uid}`;
    throw new CommandRefused(
      `${path} leads through ${foreign.path}, which belongs to ${owner}: run this as ${owner}, or name a path through your own directories`,
    );
  }
  const open = steps.find(isOpen);
  if (open)
    throw new CommandRefused(
      `${path} leads through ${open.path}, in which other users may write: chmod go-w ${open.path}, or name another path`,
    );
}

/** In a directory with the sticky bit, others can neither rename nor remove what is not theirs. */
function isOpen({ status }: PathStep): boolean {
  const { mode, gid } = status;
  if (!status.isDirectory() || (mode & STICKY) !== 0) return false;
  const isOfGroup =
    gid !== ROOT && !(process.getgroups?.() ?? []).includes(gid) && gid !== process.getegid?.();
  return (mode & WRITABLE_BY_ALL) !== 0 || ((mode & WRITABLE_BY_GROUP) !== 0 && isOfGroup);
}
