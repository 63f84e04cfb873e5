import { firstIndex } from '../lib/first-index.ts';

/** In place of an offset, for what only the whole shows. */
export const WHOLE = -1;

/**
 * Where something was found, for a reason: a line of the content, or what `outer` says of the layer that it lies in.
 *
 * @param linesBefore of the content, where this is a window of it
 */
export function placeIn(source: string, outer: string, linesBefore: number): (at: number) => string {
  const lineOf = lineCounter(source);
  return (at) => {
    if (outer !== '') return outer;
    return at === WHOLE ? 'in the file as a whole' : `line ${linesBefore + lineOf(at)}`;
  };
}

/** Counts lines: gives the line of an offset, from 1. Builds its index when it is first asked. */
export function lineCounter(source: string): (at: number) => number {
  let starts: number[] | undefined;
  return (at) => {
    starts ??= lineStarts(source);
    return firstIndex(starts, (start) => start > at);
  };
}

/**
 * Where one thing stands at most so many characters before another; undefined when it does nowhere. Reads a text once,
 * where one pattern for both would search for the second again from each match of the first.
 *
 * @param things a global pattern that finds either; its first group is the first thing
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

/** The line ends in a text. */
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
