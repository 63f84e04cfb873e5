import { GUARDS, isDocumentation } from './ordinary.ts';
import type { PhpSurface, PhpToken } from './token.ts';

/** A part of a file that is judged separately. */
export interface Section {
  /** Index of its first token in the file. */
  readonly from: number;
  /** Offset in the text of the file. */
  readonly startsAt: number;
  readonly surface: PhpSurface;
  readonly source: string;
}

/** Index of the first token, and of the one after the last. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** A top-level statement, function or class. */
interface Item extends Range {
  readonly isOrdinary: boolean;
}

const SECTIONS_MAX = 50;
/** Shorter sections have no effect. */
const SECTION_TOKENS_MIN = 2;

/**
 * The parts of a file without signs of ordinary code: between documented or guarded functions, classes and statements. Malware
 * injected into a file is such a part. Empty if this applies to the whole file.
 */
export function bareSections(surface: PhpSurface, source: string): readonly Section[] {
  const ranges = bareRanges(itemsOf(surface), surface.tokens.length);
  const longestFirst = ranges.toSorted((a, b) => b.to - b.from - (a.to - a.from));
  // Further parts are judged together, so that nothing can hide behind many small parts.
  const rest = longestFirst.slice(SECTIONS_MAX).toSorted((a, b) => a.from - b.from);
  const apart = longestFirst.slice(0, SECTIONS_MAX).map((range) => [range]);
  return [...apart, ...(rest.length > 0 ? [rest] : [])].map((joined) => sectionOf(surface, source, joined));
}

/** Ranges of items without signs of ordinary code; empty if this applies to all items. */
function bareRanges(items: readonly Item[], tokens: number): readonly Range[] {
  if (!items.some(({ isOrdinary }) => isOrdinary)) return [];
  const ranges: Range[] = [];
  let from: number | undefined;
  for (const item of [...items, { from: tokens, to: tokens, isOrdinary: true }]) {
    if (!item.isOrdinary) from ??= item.from;
    else if (from !== undefined) {
      if (item.from - from >= SECTION_TOKENS_MIN) ranges.push({ from, to: item.from });
      from = undefined;
    }
  }
  return ranges;
}

function sectionOf({ tokens, comments }: PhpSurface, source: string, ranges: readonly Range[]): Section {
  const offset = (index: number) => tokens[index]?.at ?? source.length;
  // A comment after the last token belongs to the next item.
  const isIn = (at: number, { from, to }: Range) =>
    at >= offset(from) && (to >= tokens.length || at < offset(to - 1));
  return {
    from: ranges[0]?.from ?? 0,
    startsAt: offset(ranges[0]?.from ?? 0),
    surface: {
      tokens: ranges.flatMap(({ from, to }) => tokens.slice(from, to)),
      comments: ranges.flatMap((range) => comments.filter(({ at }) => isIn(at, range))),
      hasCode: true,
    },
    source: ranges.map(({ from, to }) => source.slice(offset(from), offset(to))).join('\n'),
  };
}

function itemsOf({ tokens, comments }: PhpSurface): readonly Item[] {
  const items: Item[] = [];
  const documentation = comments.filter(isDocumentation).map(({ at }) => at);
  let documented = 0;
  let depth = 0;
  let from = 0;
  let isGuarded = false;
  for (let index = 0; index < tokens.length; index++) {
    const { kind, text, at } = tokens[index] as PhpToken;
    if (kind === 'name') isGuarded ||= GUARDS.has(text) && tokens[index + 1]?.text === '(';
    else if (kind === 'operator') {
      if (text === '{' || text === '(' || text === '[') depth++;
      else if (text === '}' || text === ')' || text === ']') depth = Math.max(0, depth - 1);
    }
    const endsHere =
      depth === 0 && (kind === 'html' || (kind === 'operator' && (text === ';' || text === '}')));
    if (!endsHere && index < tokens.length - 1) continue;
    const before = documented;
    // A comment after the last token of an item belongs to the next one.
    while (documented < documentation.length && (documentation[documented] as number) <= at) documented++;
    items.push({ from, to: index + 1, isOrdinary: isGuarded || documented > before });
    from = index + 1;
    isGuarded = false;
  }
  return items;
}
