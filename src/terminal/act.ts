import { Option } from 'commander';
import type { Actor } from '../domain/admin/author.ts';
import { userName } from '../lib/user-name.ts';
import { type Act, REASON_CHARACTERS_MAX } from '../operator/act.ts';
import { lineOf } from './options.ts';

const LOGIN_CHARACTERS_MAX = 64;

/** The caller of sudo, otherwise the user. Not from userInfo(): in Bun it returns the name in the environment. */
function login(): string {
  const uid = process.getuid?.();
  const name = process.env.SUDO_USER || (uid === undefined ? '' : (userName(uid) ?? String(uid)));
  return name.slice(0, LOGIN_CHARACTERS_MAX);
}

/** Found out before anything else happens: a process of root becomes the owner of the data directory. */
const ACTOR: Actor = `cli:${login()}`;

export interface ActOptions {
  readonly reason?: string;
}

/** An act of the user who runs this command. */
export const actNow = ({ reason }: ActOptions): Act => ({ actor: ACTOR, reason, now: Date.now() });

export const reasonOption = () =>
  new Option('--reason <text>', 'why, for the audit log').argParser(
    lineOf('--reason', REASON_CHARACTERS_MAX),
  );
