import { isDeepStrictEqual, parseEnv } from 'node:util';
import { type Environment, mergedEnvironment, withoutUser } from './config.ts';
import { SETTINGS, type Setting } from './settings.ts';

/** What belongs to the host, not to the installation. */
const OF_HOST = SETTINGS.dataDir.env;

/**
 * The settings that are set, as a file of them for a backup. Of a secret only the name of its file is included, and that it was set.
 *
 * @returns lines that SERVICE_CONFIG can name a file of
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

/** A line as such a file is read. */
function lineOf(name: string, value: string): string {
  if (withoutUser(value) !== value) return `# ${name} was set to an address with a password. Set it again.`;
  // Readers differ in what a quoted backslash means.
  const lines = ['', "'", '"', '`'].map((quote) => `${name}=${quote}${value}${quote}`);
  const isRead = (line: string) =>
    isDeepStrictEqual({ ...parseEnv(`${line}\nNEXT=1\n`) }, { [name]: value, NEXT: '1' });
  return lines.find(isRead) ?? `# ${name} had a value that does not fit on one line. Set it again.`;
}
