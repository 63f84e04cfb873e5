import { firstIndex } from '../../lib/first-index.ts';
import type { Signal } from '../signal.ts';
import { blocksOf, type Style } from './blocks.ts';
import type { JsSurface, JsToken } from './lexer.ts';
import { judgeReadability, type Writing } from './readability.ts';

/**
 * Judges the style of a script as a whole and of each block.
 *
 * @param tokens of the script, without the modules of a bundle
 */
export function stylesOf(source: string, surface: JsSurface, tokens: readonly JsToken[]): readonly Style[] {
  const { comments } = surface;
  const styles = [styleOf({ source, startsAt: 0, tokens, commentChars: charsOf(comments) })];
  const bounds = blocksOf(source, tokens);
  for (let index = 1; index < bounds.length; index++) {
    const [from, to] = [bounds[index - 1] as number, bounds[index] as number];
    const own = between(surface.tokens, from, to, ({ at }) => at);
    styles.push(
      styleOf({
        source: source.slice(from, to),
        startsAt: from,
        tokens: own,
        commentChars: charsOf(between(comments, from, to, ({ at }) => at)),
      }),
    );
  }
  return styles;
}

function styleOf(writing: Writing): Style {
  const style = new Map<Signal, number>();
  judgeReadability(writing, (signal, at) => {
    if (!style.has(signal)) style.set(signal, at);
  });
  return style;
}

const charsOf = (comments: JsSurface['comments']): number =>
  comments.reduce((sum, { length }) => sum + length, 0);

/** The items in a range of offsets; items must be in order. */
function between<Item>(
  items: readonly Item[],
  from: number,
  to: number,
  atOf: (item: Item) => number,
): readonly Item[] {
  const first = (offset: number) => firstIndex(items, (item) => atOf(item) >= offset);
  return items.slice(first(from), first(to));
}
