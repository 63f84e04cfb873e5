import { openSync } from 'node:fs';
import { dirname } from 'node:path';
import { foreignStep, isOpenStep, type PathStep, stepsTo } from '../lib/path-steps.ts';
import { userName } from '../lib/user-name.ts';
import { CommandRefused } from '../terminal/output.ts';

const ROOT = 0;
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
  const steps = stepsTo(dirname(path));
  const foreign = foreignStep(steps);
  if (foreign) {
    const owner = userName(foreign.status.uid) ?? `the user ${foreign.status.uid}`;
    throw new CommandRefused(
      `${path} leads through ${foreign.path}, which belongs to ${owner}. Run this as ${owner}, or use a path through your own directories`,
    );
  }
  const open = steps.find(isOpen);
  if (open)
    throw new CommandRefused(
      `${path} leads through ${open.path}, which other users can write to. Run chmod go-w ${open.path}, or use another path`,
    );
}

/** A group that this user is in may write in the directory. */
function isOpen(step: PathStep): boolean {
  const { gid } = step.status;
  const isOwn = gid === ROOT || (process.getgroups?.() ?? []).includes(gid) || gid === process.getegid?.();
  return isOpenStep(step, isOwn ? WRITABLE_BY_ALL : WRITABLE_BY_ALL | WRITABLE_BY_GROUP);
}
