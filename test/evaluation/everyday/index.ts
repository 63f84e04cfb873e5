import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { InputType } from '../../../src/analysis/analysis.ts';
import type { Case, Label, Side } from '../corpus.ts';

export const EVERYDAY_TYPES = ['request', 'log', 'url', 'text'] as const satisfies readonly InputType[];

/** What `{browser}` stands for in a request. */
const BROWSER_HEADERS = `User-Agent: Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36
Accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8
Accept-Language: de-DE,de;q=0.9,en-US;q=0.8
Accept-Encoding: gzip, deflate, br, zstd
Sec-CH-UA: "Google Chrome";v="131", "Chromium";v="131", "Not_A Brand";v="24"
Sec-CH-UA-Platform: "Windows"
Sec-Fetch-Site: same-origin`;

/** The everyday contents of one type, side and label, in the order of their file, named by their number there. */
export function everydayCases(inputType: InputType, side: Side, label: Label): readonly Case[] {
  const file = `${side === 'tuning' ? 'tuning' : 'heldout'}-${inputType}.txt`;
  return readFileSync(join(import.meta.dirname, file), 'utf8')
    .split(/^=== /m)
    .slice(1)
    .map((entry, index) => ({ entry, path: `${file} ${index + 1}` }))
    .filter(({ entry }) => entry.startsWith(`${label}\n`))
    .map(({ entry, path }) => ({
      inputType,
      path,
      content: entry
        .slice(label.length + 1)
        .trimEnd()
        .replaceAll('{browser}', BROWSER_HEADERS),
    }));
}
