import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Case, Label } from './corpus.ts';

interface Line {
  readonly label: Label;
  readonly content: string;
}

/**
 * Requests written by a person who did not know the rules (SOURCES.md): `blind` are set aside; `seen` were measured once like that and
 * are used for tuning since. Empty if there is no such set.
 */
export function writtenRequests(set: 'blind' | 'seen', label: Label): readonly Case[] {
  const folder = join(import.meta.dirname, set);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .toSorted()
    .flatMap((name) => {
      const lines = JSON.parse(readFileSync(join(folder, name), 'utf8')) as readonly Line[];
      return lines.map((line, index) => ({ ...line, path: `${name} ${index + 1}` }));
    })
    .filter((each) => each.label === label)
    .map(({ content, path }) => ({ inputType: 'request', path, content }));
}
