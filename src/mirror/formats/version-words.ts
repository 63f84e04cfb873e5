import type { VersionRun } from '../../domain/vulnerability/statuses.ts';
import { attachSuffixes } from '../../lib/plain-version.ts';
import { trimInvisible } from '../../lib/trim-invisible.ts';

/** The versions that a text certainly means; vague when it may mean only a part of them. */
export interface MeantVersions {
  readonly run: VersionRun;
  readonly isVague: boolean;
}

type Start = Pick<VersionRun, 'from' | 'fromInclusive'>;
type End = Pick<VersionRun, 'to' | 'toInclusive'>;

const UNBEGUN: Start = { from: null, fromInclusive: true };
const UNENDING: End = { to: null, toInclusive: false };
export const ALL_VERSIONS: VersionRun = { ...UNBEGUN, ...UNENDING };

const ALL = /^(?:|\*|n\/a|(?:all|any)(?: versions?)?|unspecified)$/i;
/** The beginning of a range; without an end its meaning is unknown. */
const FIRST = /^(?:0|unknown)$/i;
const V = String.raw`(\d+(?:\.\d+)*(?:[-._+]?(?!x\b)[a-z][a-z0-9]*(?:[-.]\d+)*)?)`;
const VERSION = new RegExp(`^${V}$`, 'i');
const WILDCARD = /^(\d+(?:\.\d+)*)(?:\.[x*])+$/i;
const SINCE = `(?:from )?(?:${V}|n/a|unspecified) ?(?:,|up)? ?`;
const form = (words: string) => new RegExp(`^${words}$`, 'i');

/** Each names the group of the first version, that of the last, and whether that one is meant as well. */
const FORMS: readonly (readonly [form: RegExp, from: number, to: number, toInclusive: boolean])[] = [
  [form(`(?:before|prior(?: to)?|below|(?:earlier|older|lower|less) than) ${V}`), 0, 1, false],
  [form(`(?:up to|through|up to and including|up to, and including,) ${V}`), 0, 1, true],
  [form(`${V},? (?:and|or) (?:all )?(?:earlier|prior|below|older|lower|previous|before)`), 0, 1, true],
  [form(`${V},? (?:and|or) (?:later|newer|above|higher|up|onwards)`), 1, 0, false],
  [form(`${SINCE}(?:through|thru|to|to and including|-|–) ${V}`), 1, 2, true],
  [form(`${SINCE}(?:before|prior to) ${V}`), 1, 2, false],
];

const COMPARISON = new RegExp(`^(<=|>=|<|>|=) ?${V}$`, 'i');
const BETWEEN_COMPARISONS = / ?(?:,|&&?| and ) ?| (?=[<>])/i;

/** What the makers of CVEs write where one version should stand: `<= 1.0.9`, `1.0 - 1.5`, `1.x`, `1.0.9 and earlier`, `n/a`. */
export function versionsMeant(written: string): MeantVersions {
  const text = tidied(written);
  if (ALL.test(text)) return { run: ALL_VERSIONS, isVague: false };
  const run = FIRST.test(text)
    ? undefined
    : (pointOf(text) ?? wildcardOf(text) ?? comparedOf(text) ?? spokenOf(text));
  return { run: run ?? ALL_VERSIONS, isVague: run === undefined };
}

const SIGN = /^(?:<=?|>=?|=) ?/;

/**
 * The run between two such texts.
 *
 * @param isIncluded whether the last version is meant as well
 */
export function versionsBetween(first: string, last: string, isIncluded: boolean): MeantVersions {
  const [low, high] = [tidied(first), tidied(last)];
  const isFromFirst = ALL.test(low) || FIRST.test(low) || low.startsWith('<');
  const from = isFromFirst ? UNBEGUN : startOf(low);
  const to = ALL.test(high) ? UNENDING : endOf(high, isIncluded || high.startsWith('<='));
  const run = { ...UNBEGUN, ...from, ...UNENDING, ...to };
  return { run, isVague: from === undefined || to === undefined };
}

/** Whether a text stands for a line of versions, such as `1.x`. */
export const isWildcard = (text: string): boolean => WILDCARD.test(text);

/** One version, as the order of versions can read it; undefined for everything else. */
export const versionMeant = (text: string): string | undefined => VERSION.exec(tidied(text))?.[1];

/** In one spelling, without words that change nothing. */
const tidied = (text: string): string =>
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

/** In the order of WordPress, `1.x` comes just before every version that begins with 1. */
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

function spokenOf(text: string): VersionRun | undefined {
  for (const [words, from, to, toInclusive] of FORMS) {
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
