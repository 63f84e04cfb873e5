import type { Findings } from '../signal.ts';
import { LOG } from './signals.ts';

const SENDERS_MAX = 5_000;
const NAMES_MAX = 50;

/** Activity of one sender across all lines. */
export interface Sender {
  misses: number;
  logins: number;
  refusedLogins: number;
  remoteCalls: number;
  failures: number;
  invalidUsers: number;
  readonly users: Set<string>;
  readonly authors: Set<string>;
  readonly ports: Set<string>;
}

const MISSES_MIN = 15;
const LOGINS_MIN = 10;
const SOME_LOGINS_MIN = 6;
const REMOTE_CALLS_MIN = 8;
const SOME_FAILURES_MIN = 5;
const USERS_MIN = 4;
const AUTHORS_MIN = 3;
const PORTS_MIN = 5;

/** Senders by name, up to 5,000; further ones are not counted. */
export class Senders {
  readonly #byName = new Map<string, Sender>();

  of(name: string): Sender {
    const known = this.#byName.get(name);
    if (known) return known;
    const fresh: Sender = {
      misses: 0,
      logins: 0,
      refusedLogins: 0,
      remoteCalls: 0,
      failures: 0,
      invalidUsers: 0,
      users: new Set(),
      authors: new Set(),
      ports: new Set(),
    };
    if (this.#byName.size < SENDERS_MAX) this.#byName.set(name, fresh);
    return fresh;
  }

  judge(findings: Findings): void {
    for (const sender of this.#byName.values()) judgeSender(sender, findings);
  }
}

/** Adds a name to a set of limited size. */
export function addName(names: Set<string>, name: string | undefined): void {
  if (name !== undefined && names.size < NAMES_MAX) names.add(name);
}

function judgeSender(sender: Sender, findings: Findings): void {
  const { misses, logins, refusedLogins, remoteCalls, failures, invalidUsers, users, authors, ports } =
    sender;
  if (misses >= MISSES_MIN) findings.add(LOG.probing, `${misses} requests`);
  if (logins >= LOGINS_MIN || failures >= LOGINS_MIN)
    findings.add(LOG.bruteForce, `${Math.max(logins, failures)} attempts`);
  else if (failures >= SOME_FAILURES_MIN) findings.add(LOG.someFailures, `${failures} failures`);
  else if (refusedLogins >= SOME_LOGINS_MIN) findings.add(LOG.someLogins, `${refusedLogins} refusals`);
  if (remoteCalls >= REMOTE_CALLS_MIN) findings.add(LOG.remoteCalls, `${remoteCalls} requests`);
  if (users.size >= USERS_MIN) findings.add(LOG.manyUsers, `${users.size} users`);
  if (invalidUsers >= 3) findings.add(LOG.invalidUsers, `${invalidUsers} attempts`);
  if (authors.size >= AUTHORS_MIN) findings.add(LOG.authors, `${authors.size} authors`);
  if (ports.size >= PORTS_MIN) findings.add(LOG.ports, `${ports.size} ports`);
}
