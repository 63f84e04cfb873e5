import { isWholeText } from './whole-text.ts';

/** What stands in a decoded text for bytes that are no UTF-8. */
const REPLACED = '\ufffd';
/** A percent sign that begins no escape stands for itself. */
const LONE_PERCENT = /%(?![0-9a-f]{2})/gi;

/**
 * The names and values of a query or a form, in their order.
 *
 * @param spared the name of values that may hold anything
 * @returns undefined when one of them holds NUL or is no UTF-8, as half of a surrogate pair is none
 */
export function formPairs(
  encoded: string,
  spared?: string,
): readonly (readonly [string, string])[] | undefined {
  const pairs = [...new URLSearchParams(encoded)];
  const texts = pairs.filter(([name]) => name !== spared).flat();
  if (!texts.every(isWholeText)) return undefined;
  return texts.some((text) => text.includes(REPLACED)) && !isUtf8(encoded) ? undefined : pairs;
}

/** The name of the first pair of a query or form that {@link formPairs} does not read. */
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
