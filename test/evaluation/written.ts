import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Case, Label } from './corpus.ts';

interface Line {
  readonly label: Label;
  readonly content: string;
}

/**
 * Requests that were written by somebody who knew no rule (SOURCES.md): `blind` are laid aside, `seen` were measured so once and are
 * tuned by since. None where there is no such set.
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
