import { isDeepStrictEqual, parseEnv } from 'node:util';
import { type Environment, mergedEnvironment, withoutUser } from './config.ts';
import { SETTINGS, type Setting } from './settings.ts';

/** Depends on the host, so it is not part of a backup. */
const OF_HOST = SETTINGS.dataDir.env;

/**
 * The settings that are set, as a file for a backup. For a secret it contains only the name of its file, and that it was set.
 *
 * @returns the content of a file for SERVICE_CONFIG
 */
export function settingsText(environment: Environment): string {
  const merged = mergedEnvironment(environment);
  const lines = Object.values<Setting>(SETTINGS).flatMap(({ env, secret }) => {
    const value = merged[env];
    if (env === OF_HOST) return [];
    if (!secret) return value ? [lineOf(env, value)] : [];
    const file = merged[`${env}_FILE`];
    return [
      ...(value ? [`# ${env} was set. Secrets are not in backups: set it again.`] : []),
      ...(file ? [lineOf(`${env}_FILE`, file)] : []),
    ];
  });
  return lines.map((line) => `${line}\n`).join('');
}

/** A line in the syntax of such a file. */
function lineOf(name: string, value: string): string {
  if (withoutUser(value) !== value) return `# ${name} was set to an address with a password. Set it again.`;
  // Parsers differ in the meaning of a backslash in quotes.
  const lines = ['', "'", '"', '`'].map((quote) => `${name}=${quote}${value}${quote}`);
  const isRead = (line: string) =>
    isDeepStrictEqual({ ...parseEnv(`${line}\nNEXT=1\n`) }, { [name]: value, NEXT: '1' });
  return lines.find(isRead) ?? `# ${name} had a value that does not fit on one line. Set it again.`;
}
