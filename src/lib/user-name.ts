import { readFileSync } from 'node:fs';

/** The name of a local user; undefined where it is known nowhere here. */
export function userName(uid: number): string | undefined {
  try {
    const entries = readFileSync('/etc/passwd', 'utf8').split('\n');
    return entries.map((entry) => entry.split(':')).find(([, , id]) => id === String(uid))?.[0];
  } catch {
    return undefined;
  }
}
