import { DEADLINE_TERMS, type Deadline } from '../domain/risk/deadline.ts';
import type { Exploitation } from '../domain/risk/facts.ts';

const KINDS: ReadonlyMap<string, string> = new Map([
  ['wordpress-plugin', 'plugin'],
  ['wordpress-theme', 'theme'],
  ['npm', 'npm package'],
  ['pypi', 'Python package'],
  ['debian', 'Debian package'],
  ['ubuntu', 'Ubuntu package'],
  ['ubuntu-pro', 'Ubuntu Pro package'],
]);

/** A component as people call it, such as `plugin contact-us 1.2.3` or `Debian 12 package openssl 3.0.11-1`. */
export function componentWords(ecosystem: string, name: string, version: string): string {
  if (ecosystem === 'wordpress-core') return `WordPress ${version}`;
  const [system = '', release] = ecosystem.split(':');
  const kind = KINDS.get(system) ?? system;
  return `${release === undefined ? kind : kind.replace(' package', ` ${release} package`)} ${name} ${version}`;
}

/**
 * What to do about a vulnerable component.
 *
 * @param fixedVersions the nearest first; empty = none is known
 */
export const remedyWords = ([fixed]: readonly string[]): string =>
  fixed === undefined ? 'no fix: remove it or limit who can reach it' : `update to ${fixed}`;

/** How much time there is for it. */
export function deadlineWords(deadline: Deadline): string {
  const { days, forensics } = DEADLINE_TERMS[deadline];
  const time = days === null ? 'with the next upgrade' : `within ${days} days`;
  return forensics ? `${time}, traces of a break-in first` : time;
}

const EXPLOITATIONS: Readonly<Record<Exploitation, string>> = {
  none: 'no exploit is known',
  poc: 'an exploit is public',
  active: 'it is being exploited',
};

/** How something is exploited. */
export const exploitationWords = (exploitation: Exploitation): string => EXPLOITATIONS[exploitation];
