import { Option } from 'commander';
import type { Actor } from '../domain/admin/author.ts';
import { userName } from '../lib/user-name.ts';
import { type Act, REASON_CHARACTERS_MAX } from '../operator/act.ts';
import { lineOf } from './options.ts';

const LOGIN_CHARACTERS_MAX = 64;

/**
 * Returns the login of the user who called sudo, otherwise of the current user. Bun's userInfo() would return the name from the
 * environment.
 */
function login(): string {
  const uid = process.getuid?.();
  const name = process.env.SUDO_USER || (uid === undefined ? '' : (userName(uid) ?? String(uid)));
  return name.slice(0, LOGIN_CHARACTERS_MAX);
}

/** Determined when the module is loaded: later, a process started by root switches to the owner of the data directory. */
const ACTOR: Actor = `cli:${login()}`;

export interface ActOptions {
  readonly reason?: string;
}

/** Returns an act by the user who runs this command, at the current time. */
export const actNow = ({ reason }: ActOptions): Act => ({ actor: ACTOR, reason, now: Date.now() });

export const reasonOption = () =>
  new Option('--reason <text>', 'why, for the audit log').argParser(
    lineOf('--reason', REASON_CHARACTERS_MAX),
  );
