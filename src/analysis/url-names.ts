import { domainToUnicode } from 'node:url';
import type { Signal } from './signal.ts';
import { isFree } from './url-hosting.ts';
import { BAIT_INSIDE, BRANDS } from './url-lists.ts';
import { URL_SIGNALS as SIGNALS } from './url-signals.ts';

/** A host with its parts for judging. */
export interface Host {
  readonly host: string;
  /** As displayed, decoded from Punycode. */
  readonly readable: string;
  readonly domain: string;
}

/** Judges a host by names of well-known services and of the caller's site. */
export function judgeNames(
  { host, readable, domain }: Host,
  report: (signal: Signal) => void,
  ownDomain: string | undefined,
): void {
  const ownName = ownDomain?.split('.')[0];
  if (ownName && ownName.length >= 5 && host.includes(ownName)) report(SIGNALS.ownNameElsewhere);
  const parts = host.split(/[.-]/);
  const words = parts
    .filter(({ length }) => length >= MISSPELT_CHARS_MIN)
    .map((text) => ({ text, read: withLetters(text) }));
  const owner = OWNERS.get(domain);
  for (const [brand, domains] of BRAND_DOMAINS) {
    const signal =
      brand === owner ? SIGNALS.wellKnown : brandSignal({ host, domain, parts, words }, brand, domains);
    if (signal === undefined) continue;
    if (signal !== SIGNALS.wellKnown || !isFree(host)) report(signal);
    return;
  }
  const latin = readable === host ? host : looksLike(readable);
  if (latin !== readable && latin.split(/[.-]/).some((part) => LONG_BRANDS.has(part)))
    report(SIGNALS.lookAlike);
}

const BRAND_DOMAINS = Object.entries(BRANDS);
const LONG_BRANDS: ReadonlySet<string> = new Set(Object.keys(BRANDS).filter(({ length }) => length >= 5));
/** Services by domain; the first if two share one. */
const OWNERS: ReadonlyMap<string, string> = new Map(
  BRAND_DOMAINS.toReversed().flatMap(([brand, domains]) =>
    domains.filter((domain) => !domain.startsWith('.')).map((domain) => [domain, brand] as const),
  ),
);

/** Shorter names are too close to ordinary words. */
const MISSPELT_CHARS_MIN = 6;

/** A part of a host, verbatim and with look-alike digits replaced by letters. */
interface HostWord {
  readonly text: string;
  readonly read: string;
}

interface HostNames {
  readonly host: string;
  readonly domain: string;
  /** The parts between dots and hyphens. */
  readonly parts: readonly string[];
  /** The parts that are long enough for a misspelt name. */
  readonly words: readonly HostWord[];
}

/** Judges how a host that does not belong to a service uses its name. */
function brandSignal(
  { host, domain, parts, words }: HostNames,
  brand: string,
  domains: readonly string[],
): Signal | undefined {
  if (host.includes(brand)) {
    if (domains.some((ending) => ending.startsWith('.') && domain.endsWith(ending))) return undefined;
    if (domain.split('.')[0] === brand) return SIGNALS.brandOtherEnding;
    if (parts.includes(brand)) return SIGNALS.brandElsewhere;
    const joined = brand.length >= 5 ? parts.find((part) => part.includes(brand)) : undefined;
    if (joined && (isFree(host) || BAIT_INSIDE.test(joined))) return SIGNALS.brandElsewhere;
  }
  if (brand.length < MISSPELT_CHARS_MIN) return undefined;
  for (const word of words) if (isMisspelt(word, brand)) return SIGNALS.brandMisspelt;
  return undefined;
}

/** Whether a path part is a service's domain. GitHub is excluded: package names contain the location of their source. */
export const isOwnDomain = (part: string): boolean =>
  OWNERS.has(part.toLowerCase().replace(/^www\./, '')) && !/^github/i.test(part);
/** Whether a domain is registered by a well-known service. */
export const isKnownHost = (domain: string): boolean => OWNERS.has(domain);

/** Cyrillic and Greek letters with their Latin look-alikes. */
const LATIN: ReadonlyMap<string, string> = new Map(
  'аa еe оo рp сc уy хx іi јj ѕs ԁd һh ӏl ԛq ԝw ɡg αa οo νv ρp ιi κk τt υu χx'
    .split(' ')
    .map(([letter = '', latin = '']) => [letter, latin] as const),
);
/** Decodes Punycode. */
export const readableHost = (host: string): string => (host.includes('xn--') ? domainToUnicode(host) : host);
const looksLike = (host: string): string =>
  [...host.normalize('NFD').replace(/\p{M}/gu, '')].map((letter) => LATIN.get(letter) ?? letter).join('');

const LOOK_ALIKE: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  vv: 'w',
  rn: 'm',
};
const withLetters = (word: string): string =>
  word.replace(/vv|rn|[013457]/g, (found) => LOOK_ALIKE[found] ?? found);

/**
 * Whether a word is a brand with one letter changed, doubled, omitted or swapped with its neighbour, or with digits for letters.
 */
function isMisspelt({ text: word, read }: HostWord, brand: string): boolean {
  if (word === brand) return false;
  if (read === brand) return true;
  if (Math.abs(word.length - brand.length) > (brand.length >= 7 ? 1 : 0)) return false;
  // One change leaves the first or the last letter unchanged.
  if (word[0] !== brand[0] && word.at(-1) !== brand.at(-1)) return false;
  let start = 0;
  while (start < word.length && word[start] === brand[start]) start++;
  let end = 0;
  while (end < word.length - start && end < brand.length - start && word.at(-1 - end) === brand.at(-1 - end))
    end++;
  const [left, expected] = [word.slice(start, word.length - end), brand.slice(start, brand.length - end)];
  if (left.length <= 1 && expected.length <= 1) return true;
  return left.length === 2 && expected.length === 2 && left[0] === expected[1] && left[1] === expected[0];
}
