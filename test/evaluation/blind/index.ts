import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Case, Label } from '../corpus.ts';

interface Line {
  readonly label: Label;
  readonly content: string;
}

/** Requests that somebody wrote who knew no rule, laid aside before the rules for requests were worked on: see SOURCES.md. */
export const blindRequests = (label: Label): readonly Case[] =>
  (JSON.parse(readFileSync(join(import.meta.dirname, 'requests.json'), 'utf8')) as readonly Line[])
    .map((line, index) => ({ ...line, path: `requests.json ${index + 1}` }))
    .filter((each) => each.label === label)
    .map(({ content, path }) => ({ inputType: 'request', path, content }));
