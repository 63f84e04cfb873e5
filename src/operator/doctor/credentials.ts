import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Credentials } from '../../lib/read-file.ts';
import type { Environment } from '../../settings/config.ts';
import { credentialSources, hasSpecifier, readUnitCredentials, unitValues } from '../unit-credentials.ts';
import { type Finding, failure, warning } from './finding.ts';
import type { Unit } from './unit.ts';

const PATH_OF_CREDENTIAL = /^[/]run[/]credentials[/]([^/]+)[/]([^/]+)$/;
const DELIVERING = ['LoadCredentialEncrypted', 'SetCredential', 'SetCredentialEncrypted'];

/** A credential that a setting names. */
export interface NamedCredential {
  readonly setting: string;
  /** With its ending. */
  readonly unit: string;
  readonly name: string;
}

/** Where systemd shows a unit its credentials. */
export const credentialsDirectory = ({ id }: Pick<Unit, 'id'>): string => `/run/credentials/${id}`;

/** The credentials that settings name by their paths. */
export function namedCredentials(environment: Environment): NamedCredential[] {
  return Object.entries(environment).flatMap(([setting, value = '']) => {
    const [, unit, name] = PATH_OF_CREDENTIAL.exec(value) ?? [];
    return setting.startsWith('SERVICE_') && unit && name ? [{ setting, unit, name }] : [];
  });
}

/**
 * The content of a unit's named credentials, as far as this user may read them: from their source, else from systemd's copies.
 */
export function readNamed(unit: Unit, named: readonly NamedCredential[]): Credentials {
  const fromSources = readUnitCredentials(unit.text);
  const found = named.flatMap(({ name }) => {
    const content = fromSources[name] ?? shownContent(`${credentialsDirectory(unit)}/${name}`);
    return content === undefined ? [] : [[name, content]];
  });
  return Object.fromEntries(found);
}

function shownContent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

export interface CredentialFacts {
  readonly unit: Unit;
  readonly named: readonly NamedCredential[];
  /** Those that could be read. */
  readonly handed: Credentials;
  readonly isRoot: boolean;
}

/** Checks the credentials that settings name. */
export function judgeCredentials({ unit, named, handed, isRoot }: CredentialFacts): Finding[] {
  const sources = credentialSources(unit.text);
  const otherwise = new Set(unitValues(unit.text, ...DELIVERING).map((value) => value.split(':')[0]));
  const mayBe = unitValues(unit.text, 'ImportCredential').length > 0;
  return named.flatMap(({ setting, unit: named, name }) => {
    if (named !== unit.id) {
      const what = `${setting} names a credential of ${named}, but the service is ${unit.id}`;
      return failure('credential-of-other-unit', what, `set it to ${credentialsDirectory(unit)}/${name}`);
    }
    if (handed[name] !== undefined) return [];
    const naming = `${setting} names the credential ${name}`;
    if (!sources.has(name) && !otherwise.has(name) && !mayBe) {
      const todo = `systemctl edit ${unit.id}: add LoadCredential=${name} under [Service], then restart it`;
      return failure('credential-not-loaded', `${naming}, which ${unit.id} does not load`, todo);
    }
    const source = sources.get(name);
    if (isRoot && source !== undefined && !hasSpecifier(source)) {
      // A path that is not absolute is one in a folder of credentials.
      const path = resolve('/etc/credstore', source);
      const what = `${naming}, but ${unit.id} has no file to load it from`;
      return failure(
        'credential-missing',
        what,
        `store it at ${path}, mode 600, then systemctl reload ${unit.id}`,
      );
    }
    const todo = isRoot
      ? 'check it yourself: it is encrypted, or only systemd knows where it is'
      : 'run doctor as root';
    return warning('credential-unread', `${naming}, which this user cannot read`, todo);
  });
}
