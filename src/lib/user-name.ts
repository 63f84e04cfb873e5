import { readFileSync } from 'node:fs';

/** The name of a user in /etc/passwd; undefined if it is not there. */
export function userName(uid: number): string | undefined {
  try {
    const entries = readFileSync('/etc/passwd', 'utf8').split('\n');
    return entries.map((entry) => entry.split(':')).find(([, , id]) => id === String(uid))?.[0];
  } catch {
    return undefined;
  }
}
