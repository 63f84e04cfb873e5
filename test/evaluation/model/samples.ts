import { createHash } from 'node:crypto';
import { newTokens, readTokens, type Tokens } from '../../../src/analysis/model/tokens.ts';
import { type Label, SOURCES } from '../corpus.ts';
import { groupNearCopies } from './near-copies.ts';

/** A content of the tuning side as tokens. */
export interface Sample {
  readonly label: Label;
  readonly category: string;
  readonly repository: string;
  readonly tokens: Tokens;
  /** The files that are nearly the same share a number. */
  group: number;
  /** How many they are. */
  groupSize: number;
}

/** One clean content in so many is enough, and takes a few minutes in place of many. */
const CLEAN_SHARE = 3;

/** Reads the code of the tuning side, each content once; of the clean contents a share that their hash decides. */
export function readSamples(mirror: string): readonly Sample[] {
  const seen = new Set<string>();
  const scratch = newTokens();
  const samples: Sample[] = [];
  const sources = SOURCES.filter(({ side, category }) => side === 'tuning' && category.startsWith('code'));
  // The malicious ones first: what they share with clean collections is no ordinary code.
  for (const label of ['malicious', 'clean'] as const) {
    for (const source of sources) {
      if (source.label !== label) continue;
      for (const { content } of source.casesOf(mirror)) {
        const hash = createHash('sha1').update(content.replace(/\s+/g, '')).digest();
        const key = hash.toString('latin1');
        if (seen.has(key)) continue;
        seen.add(key);
        if (label === 'clean' && hash.readUInt16LE(0) % CLEAN_SHARE !== 0) continue;
        readTokens(content, scratch);
        if (scratch.count === 0) continue;
        const { category, repository } = source;
        samples.push({ label, category, repository, tokens: copyOf(scratch), group: -1, groupSize: 1 });
      }
    }
  }
  groupNearCopies(samples.filter(({ label }) => label === 'malicious'));
  return samples;
}

/** Without offsets, which only reasons need. */
const copyOf = ({ count, texts, shapes }: Tokens): Tokens => ({
  count,
  texts: texts.slice(0, count),
  shapes: shapes.slice(0, count),
  starts: new Int32Array(0),
});

/** A number from 0 to below `parts` for a repository: versions and forks of a plugin get the same one. */
export function partOf(repository: string, parts: number): number {
  const name = (repository.split('/')[1] ?? '').replace('plugins-', '').split('-')[0]?.toLowerCase() ?? '';
  return createHash('sha256').update(name).digest().readUInt16LE(0) % parts;
}
