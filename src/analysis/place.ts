import { firstIndex } from '../lib/first-index.ts';

/** Used in place of an offset for findings about the whole. */
export const WHOLE = -1;

/**
 * Describes the place of a finding for a reason: the line, or `outer`, the description of the layer.
 *
 * @param linesBefore lines before the source, if it is a window
 */
export function placeIn(source: string, outer: string, linesBefore: number): (at: number) => string {
  const lineOf = lineCounter(source);
  return (at) => {
    if (outer !== '') return outer;
    return at === WHOLE ? 'in the file as a whole' : `line ${linesBefore + lineOf(at)}`;
  };
}

/** Returns the line of an offset, from 1. Builds its index on first use. */
export function lineCounter(source: string): (at: number) => number {
  let starts: number[] | undefined;
  return (at) => {
    starts ??= lineStarts(source);
    return firstIndex(starts, (start) => start > at);
  };
}

/**
 * Offset of the first thing that is followed by the second within `charsMax` characters; undefined if there is none. Linear; one
 * pattern for both would search for the second from each match of the first.
 *
 * @param things global pattern for either; group 1 matches the first thing
 */
export function pairAt(text: string, things: RegExp, charsMax: number): number | undefined {
  let firstAt: number | undefined;
  let endsAt = 0;
  for (const { 0: thing, 1: first, index } of text.matchAll(things)) {
    if (first !== undefined) {
      firstAt = index;
      endsAt = index + thing.length;
    } else if (firstAt !== undefined && index - endsAt <= charsMax) return firstAt;
  }
  return undefined;
}

/** Counts the line breaks in a text. */
export function newlinesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

function lineStarts(source: string): number[] {
  const starts = [0];
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
