import { ACTOR_NAME } from './actor-name.ts';
import { ROLES, type Role } from './operator.ts';

/** The claims of an identity provider about a person. */
export type Claims = Readonly<Record<string, unknown>>;

/** Every person, in place of a group. */
const EVERYBODY = '*';
const NAME_CHARACTERS_MAX = 40;

/**
 * Reads the groups of a person.
 *
 * @param path the name of a claim, as it is or, where there is none, with dots that lead into objects
 * @returns undefined where the claim is absent, or is neither a text nor a list
 */
export function groupsAt(claims: Claims, path: string): readonly string[] | undefined {
  const found = ownOf(claims, path) ?? path.split('.').reduce<unknown>(ownOf, claims);
  if (typeof found === 'string') return [found];
  return Array.isArray(found) ? found.filter((group) => typeof group === 'string') : undefined;
}

const ownOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Claims)[name]
    : undefined;

/** Returns the highest role of a person's groups; undefined where none has a role. */
export function roleOfGroups(
  groups: readonly string[],
  ofRole: Readonly<Record<Role, readonly string[]>>,
): Role | undefined {
  const own = new Set([...groups, EVERYBODY]);
  return ROLES.findLast((role) => ofRole[role].some((group) => own.has(group)));
}

/**
 * Chooses a name for a new operator: the preferred one, else the mail address, else the subject, each in characters that names may
 * have, with a number if it is taken.
 *
 * @param isTaken whether an operator has a name
 */
export function nameOfPerson(claims: Claims, isTaken: (name: string) => boolean): string {
  const names = ['preferred_username', 'email', 'sub'].flatMap((claim) => asName(ownOf(claims, claim)) ?? []);
  const name = names[0] ?? 'operator';
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? '' : `-${number}`;
    const numbered = name.slice(0, NAME_CHARACTERS_MAX - suffix.length) + suffix;
    if (!isTaken(numbered)) return numbered;
  }
}

/** Only the start of a long text is read: a provider may send any length. */
const LOOKED_AT_MAX = 200;

function asName(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const name = value
    .slice(0, LOOKED_AT_MAX)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9._-]/g, '-')
    .replace(/^[._-]+/, '')
    .slice(0, NAME_CHARACTERS_MAX);
  return ACTOR_NAME.test(name) ? name : undefined;
}
