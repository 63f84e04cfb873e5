import { DEADLINE_TERMS, type Deadline } from '../domain/risk/deadline.ts';

/** Whose packages they are. */
const PACKAGED_BY: ReadonlyMap<string, string> = new Map([
  ['npm', 'npm'],
  ['pypi', 'Python'],
  ['debian', 'Debian'],
  ['ubuntu', 'Ubuntu'],
  ['ubuntu-pro', 'Ubuntu Pro'],
]);

/** A component as people call it, such as `plugin contact-us 1.2.3` or `Debian 12 package openssl 3.0.11-1`. */
export function componentWords(ecosystem: string, name: string, version: string): string {
  if (ecosystem === 'wordpress-core') return `WordPress ${version}`;
  if (ecosystem.startsWith('wordpress-')) return `${ecosystem.slice('wordpress-'.length)} ${name} ${version}`;
  const [system = '', ...release] = ecosystem.split(':');
  return [PACKAGED_BY.get(system) ?? system, ...release, 'package', name, version].join(' ');
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
