import type { JsToken } from './lexer.ts';

const OBFUSCATED = /^_0x[0-9a-f]{4,6}$/;

/** Counts the tokens with names that an obfuscator generated. */
export function countRandom(tokens: readonly JsToken[], names: ReadonlySet<string>): number {
  const random = new Set<string>();
  for (const name of names) if (name.startsWith('_0x') && OBFUSCATED.test(name)) random.add(name);
  return random.size === 0
    ? 0
    : tokens.filter(({ kind, text }) => kind === 'name' && random.has(text)).length;
}
