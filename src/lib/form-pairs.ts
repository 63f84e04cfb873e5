import { isWholeText } from './whole-text.ts';

/** Replaces invalid UTF-8 in decoded text. */
const REPLACED = '\ufffd';
/** A percent sign that starts no escape is literal. */
const LONE_PERCENT = /%(?![0-9a-f]{2})/gi;

/**
 * The names and values of a query or form, in order.
 *
 * @param exempt the name of values that may contain any text
 * @returns undefined if one of them contains NUL or invalid UTF-8, such as a lone surrogate
 */
export function formPairs(
  encoded: string,
  exempt?: string,
): readonly (readonly [string, string])[] | undefined {
  const pairs = [...new URLSearchParams(encoded)];
  const texts = pairs.filter(([name]) => name !== exempt).flat();
  if (!texts.every(isWholeText)) return undefined;
  return texts.some((text) => text.includes(REPLACED)) && !isUtf8(encoded) ? undefined : pairs;
}

/** The name of the first pair that makes {@link formPairs} return undefined. */
export function brokenNameIn(encoded: string): string | undefined {
  const pairs = encoded.replace(/^\?/, '').split('&');
  const broken = pairs.find((pair) => formPairs(pair) === undefined);
  return [...new URLSearchParams(broken).keys()][0];
}

function isUtf8(encoded: string): boolean {
  try {
    decodeURIComponent(encoded.replace(LONE_PERCENT, '%25'));
    return true;
  } catch {
    return false;
  }
}
