import type { VersionRun } from '../../domain/vulnerability/statuses.ts';
import { attachSuffixes } from '../../lib/plain-version.ts';
import { trimInvisible } from '../../lib/trim-invisible.ts';

/** The versions that a text means; vague if it may mean only some of them. */
export interface MeantVersions {
  readonly run: VersionRun;
  readonly isVague: boolean;
}

type Start = Pick<VersionRun, 'from' | 'fromInclusive'>;
type End = Pick<VersionRun, 'to' | 'toInclusive'>;

const NO_START: Start = { from: null, fromInclusive: true };
const NO_END: End = { to: null, toInclusive: false };
export const ALL_VERSIONS: VersionRun = { ...NO_START, ...NO_END };

const ALL = /^(?:|\*|n\/a|(?:all|any)(?: versions?)?|unspecified)$/i;
/** The start of a range; unclear without an end. */
const FIRST = /^(?:0|unknown)$/i;
const V = String.raw`(\d+(?:\.\d+)*(?:[-._+]?(?!x\b)[a-z][a-z0-9]*(?:[-.]\d+)*)?)`;
const VERSION = new RegExp(`^${V}$`, 'i');
const WILDCARD = /^(\d+(?:\.\d+)*)(?:\.[x*])+$/i;
const SINCE = `(?:from )?(?:${V}|n/a|unspecified) ?(?:,|up)? ?`;
const phrase = (words: string) => new RegExp(`^${words}$`, 'i');

/**
 * Phrases with the group of the first version, the group of the last, and whether the range includes the last. Group 0 = none.
 */
const PHRASES: readonly (readonly [phrase: RegExp, from: number, to: number, toInclusive: boolean])[] = [
  [phrase(`(?:before|prior(?: to)?|below|(?:earlier|older|lower|less) than) ${V}`), 0, 1, false],
  [phrase(`(?:up to|through|up to and including|up to, and including,) ${V}`), 0, 1, true],
  [phrase(`${V},? (?:and|or) (?:all )?(?:earlier|prior|below|older|lower|previous|before)`), 0, 1, true],
  [phrase(`${V},? (?:and|or) (?:later|newer|above|higher|up|onwards)`), 1, 0, false],
  [phrase(`${SINCE}(?:through|thru|to|to and including|-|–) ${V}`), 1, 2, true],
  [phrase(`${SINCE}(?:before|prior to) ${V}`), 1, 2, false],
];

const COMPARISON = new RegExp(`^(<=|>=|<|>|=) ?${V}$`, 'i');
const BETWEEN_COMPARISONS = / ?(?:,|&&?| and ) ?| (?=[<>])/i;

/** Parses version texts of CVE records that should be one version: `<= 1.0.9`, `1.0 - 1.5`, `1.x`, `1.0.9 and earlier`, `n/a`. */
export function versionsMeant(written: string): MeantVersions {
  const text = normalised(written);
  if (ALL.test(text)) return { run: ALL_VERSIONS, isVague: false };
  const run = FIRST.test(text)
    ? undefined
    : (pointOf(text) ?? wildcardOf(text) ?? comparedOf(text) ?? phraseOf(text));
  return { run: run ?? ALL_VERSIONS, isVague: run === undefined };
}

const SIGN = /^(?:<=?|>=?|=) ?/;

/**
 * Parses a range between two version texts.
 *
 * @param isIncluded whether the range includes the last version
 */
export function versionsBetween(first: string, last: string, isIncluded: boolean): MeantVersions {
  const [low, high] = [normalised(first), normalised(last)];
  const isFromFirst = ALL.test(low) || FIRST.test(low) || low.startsWith('<');
  const from = isFromFirst ? NO_START : startOf(low);
  const to = ALL.test(high) ? NO_END : endOf(high, isIncluded || high.startsWith('<='));
  const run = { ...NO_START, ...from, ...NO_END, ...to };
  return { run, isVague: from === undefined || to === undefined };
}

/** Whether a text is a wildcard, such as `1.x`. */
export const isWildcard = (text: string): boolean => WILDCARD.test(text);

/** Parses a single version that can be ordered; undefined for other texts. */
export const versionMeant = (text: string): string | undefined => VERSION.exec(normalised(text))?.[1];

/** Normalises spelling and removes words without meaning. */
const normalised = (text: string): string =>
  attachSuffixes(trimInvisible(text).replace(/\s+/g, ' '))
    .replaceAll('≤', '<=')
    .replaceAll('≥', '>=')
    .replace(/\b(?:versions?|ver\.?|v\.?):? ?(?=\d)/gi, '')
    .replace(/^(?:all )?versions? (?=\S)|(?<=\S) versions?$/gi, '');

function pointOf(text: string): VersionRun | undefined {
  const version = VERSION.exec(text)?.[1];
  if (version === undefined) return undefined;
  return { from: version, fromInclusive: true, to: version, toInclusive: true };
}

/** WordPress orders `1.x` directly before all versions that begin with 1. */
function wildcardOf(text: string): VersionRun | undefined {
  const base = WILDCARD.exec(text)?.[1];
  if (base === undefined) return undefined;
  return { from: `${base}.x`, fromInclusive: true, to: `${nextOf(base)}.x`, toInclusive: false };
}

const nextOf = (base: string): string => base.replace(/(?<!\d)\d+$/, (last) => String(BigInt(last) + 1n));

function comparedOf(text: string): VersionRun | undefined {
  let run = ALL_VERSIONS;
  for (const part of text.split(BETWEEN_COMPARISONS)) {
    const [, sign = '', version = ''] = COMPARISON.exec(part) ?? [];
    const isInclusive = sign.endsWith('=');
    if (sign.startsWith('<') && run.to === null) run = { ...run, to: version, toInclusive: isInclusive };
    else if (sign.startsWith('>') && run.from === null)
      run = { ...run, from: version, fromInclusive: isInclusive };
    else return sign === '=' && part === text ? pointOf(version) : undefined;
  }
  return run;
}

function phraseOf(text: string): VersionRun | undefined {
  for (const [words, from, to, toInclusive] of PHRASES) {
    const found = words.exec(text);
    if (found === null) continue;
    const [first = null, last = null] = [from && found[from], to && found[to]].map((one) => one || null);
    return { from: first, fromInclusive: true, to: last, toInclusive: last !== null && toInclusive };
  }
  return undefined;
}

function startOf(text: string): Start | undefined {
  const run = wildcardOf(text) ?? pointOf(text.replace(SIGN, ''));
  return run && { from: run.from, fromInclusive: !/^>(?!=)/.test(text) };
}

function endOf(text: string, isIncluded: boolean): End | undefined {
  const [line, run] = [wildcardOf(text), pointOf(text.replace(SIGN, ''))];
  return line ? { to: line.to, toInclusive: false } : run && { to: run.to, toInclusive: isIncluded };
}
