import { spawnSync } from 'node:child_process';
import { CommandRefused } from '../terminal/output.ts';

/** Receives each item, and whether it was created or existed. */
export type Note = (what: string, isMade: boolean) => void;

const NAME = 'redoubt';
const NOBODYS_SHELL = '/usr/sbin/nologin';

/** A shell that became root by `su` may lack the folders where root's commands are. */
const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' };

/**
 * Makes the system user and group that the units name, each where there is none.
 *
 * @throws CommandRefused when one of them cannot be made
 */
export function makeServiceUser(note: Note): { uid: number; gid: number } {
  const group = ['--system', NAME];
  const user = ['--system', '--no-create-home', '--shell', NOBODYS_SHELL, '--gid', NAME, NAME];
  const gid = madeId('group', () => hostCommand('groupadd', ...group), note);
  const uid = madeId('passwd', () => hostCommand('useradd', ...user), note);
  return { uid, gid };
}

function madeId(database: 'group' | 'passwd', make: () => void, note: Note): number {
  const known = idIn(database);
  if (known === undefined) make();
  const id = known ?? idIn(database);
  const what = `${database === 'group' ? 'group' : 'user'} ${NAME}`;
  if (id === undefined)
    throw new CommandRefused(`the ${what} was not found. Create it, then repeat the command`);
  note(what, known === undefined);
  return id;
}

/** The number by which a user or group is known, locally or in a directory service; undefined when it is not. */
function idIn(database: 'group' | 'passwd'): number | undefined {
  const { status, stdout } = spawnSync('getent', [database, NAME], { encoding: 'utf8', env });
  return status === 0 ? Number(stdout.split(':')[2]) : undefined;
}

/**
 * Runs a command that changes this host.
 *
 * @throws CommandRefused when it fails or is not there, with what it says
 */
export function hostCommand(command: string, ...words: string[]): void {
  const { status, stderr, error } = spawnSync(command, words, { encoding: 'utf8', env });
  if (status === 0) return;
  const why = error ? 'no such command' : stderr.trim().split('\n')[0] || `it exited with ${status}`;
  throw new CommandRefused(
    `"${[command, ...words].join(' ')}" failed: ${why}. Do this another way, then run init again`,
  );
}
