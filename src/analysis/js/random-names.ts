import type { JsToken } from './lexer.ts';

const OBFUSCATED = /^_0x[0-9a-f]{4,6}$/;
const RANDOM_SHARE = 0.45;
const NAMES_MIN = 8;
const NAME_CHARS_MIN = 5;
const CONSONANTS = /[bcdfghjklmnpqrstvwxz]{5,}/i;
/** One number stands for a kind or for "to": Int8Array, rgb2hsl. */
const NUMBERED = /[a-z][0-9]+[a-z]+[0-9]/i;
/** A format, such as the order and sizes of colours. */
const CAPITALS = /^[A-Z\d_]+$/;
/** A name that a bundler made of a file's hash. */
const OF_FILE = /^\$[0-9a-f]{12,16}\$/;
/** Letters of a run of consonants that two names share when they share a word. */
const SHARED_CHARS = 3;

/** Names such as an obfuscator gives. */
export function countRandom(tokens: readonly JsToken[], names: ReadonlySet<string>): number {
  const random = new Set<string>();
  for (const name of names) if (name.startsWith('_0x') && OBFUSCATED.test(name)) random.add(name);
  return random.size === 0
    ? 0
    : tokens.filter(({ kind, text }) => kind === 'name' && random.has(text)).length;
}

/** Whether names look like rolled letters, among enough of them. */
export function areRandom(names: ReadonlySet<string>): boolean {
  const long = [...names].filter((name) => name.length >= NAME_CHARS_MIN);
  if (long.length < NAMES_MIN) return false;
  const seen = new Set<string>();
  // Those that may still turn out to be random: most scripts are told before all names are read.
  let left = long.length;
  for (const name of long) {
    const odd = oddIn(name);
    // What several names have in common is a word of their subject, however it looks: HTML, chacha20poly1305, MsSql.
    const isOwn = odd !== undefined && !odd.some((part) => seen.has(part));
    for (const part of odd ?? []) seen.add(part);
    if (!isOwn && --left <= long.length * RANDOM_SHARE) return false;
  }
  return true;
}

/** What makes a name look rolled; undefined where nothing does. */
function oddIn(name: string): readonly string[] | undefined {
  if (name.length > NAME_CHARS_MIN && !CAPITALS.test(name) && !OF_FILE.test(name)) {
    const numbered = NUMBERED.exec(name);
    if (numbered) return [wordAround(name, numbered.index).replace(/\d+/g, '')];
  }
  const [run] = CONSONANTS.exec(name) ?? [];
  if (run !== undefined) {
    const letters = run.toLowerCase();
    return [`${letters.slice(0, SHARED_CHARS)}-`, `-${letters.slice(-SHARED_CHARS)}`];
  }
  const changes = name.match(/[a-z](?=[A-Z])|[A-Z](?=[a-z])/g)?.length ?? 0;
  return name.length > NAME_CHARS_MIN && changes / name.length > 0.5 ? [] : undefined;
}

/** The part of a name between low lines or dollar signs that stands at a place. */
function wordAround(name: string, at: number): string {
  const from = Math.max(name.lastIndexOf('_', at), name.lastIndexOf('$', at)) + 1;
  const [word = ''] = /^[^_$]*/.exec(name.slice(from)) ?? [];
  return word;
}
