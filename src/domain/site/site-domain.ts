import ipaddr from 'ipaddr.js';
import { WHITE_SPACE } from '../../lib/trim-invisible.ts';

/** A site's normalised host. */
export interface SiteDomain {
  readonly name: string;
  /** False for development hosts, which take up no site of a license. */
  readonly counted: boolean;
}

const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
/** As a URL parser writes an address: dotted decimal, or in brackets. */
const ADDRESS = /^(?:\[|\d+\.\d+\.\d+\.\d+$)/;
/** The longest domain. */
export const DOMAIN_CHARACTERS_MAX = 253;

const PORT = '(?::(?:[0-5]?[0-9]{1,4}|6(?:[0-4][0-9]{3}|5(?:[0-4][0-9]{2}|5(?:[0-2][0-9]|3[0-5])))))?';
const OCTET = '(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])';
const REST_OF_LABEL = '(?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?';
const NAME =
  `(?![^/?#:]{${DOMAIN_CHARACTERS_MAX + 1}})(?:[A-Za-z0-9_]${REST_OF_LABEL}\\.)+[A-Za-z]${REST_OF_LABEL}` +
  '|[Ll][Oo][Cc][Aa][Ll][Hh][Oo][Ss][Tt]';
const NO_BLANK = `[^\\u0000-\\u001f\\u007f-\\u009f${WHITE_SPACE}]`;

/** The domains and URLs of sites that are written in ASCII, with an address in dotted decimal: {@link normalizeSiteDomain} reads all of them. */
export const SITE_TEXT = new RegExp(
  `^(?:[Hh][Tt][Tt][Pp][Ss]?://)?(?:${NAME}|(?:${OCTET}\\.){3}${OCTET})${PORT}(?:[/?#]${NO_BLANK}*)?$`,
);
/** A URL parser silently removes some of these; a domain that holds one is malformed. */
const BLANK_OR_CONTROL = /[\s\p{Cc}]/u;

/** Names that never reach the public internet: RFC 2606, 6762 and 8375, what ICANN reserves, and what resolvers append. */
const DEVELOPMENT_NAMES = [
  'localhost',
  'test',
  'local',
  'invalid',
  'example',
  'internal',
  'home.arpa',
  'localdomain',
];

/**
 * Normalizes a client's domain: a bare name, an address or a URL.
 *
 * @param stagingNames the operator's own development names, matched whole or at a dot boundary
 * @returns undefined when the text is not the domain of a website
 */
export function normalizeSiteDomain(
  text: string,
  stagingNames: readonly string[] = [],
): SiteDomain | undefined {
  const host = hostOf(text.trim());
  if (host === undefined) return undefined;

  const address = host.startsWith('[') ? host.slice(1, -1) : host;
  if (ADDRESS.test(host) && ipaddr.isValid(address)) {
    // A URL parser reads `0`, `127.1` and `0x7f.1` as addresses; of a site they are mistakes.
    if (address === host && !text.includes(host)) return undefined;
    return { name: host, counted: ipaddr.process(address).range() === 'unicast' };
  }

  const labels = host.split('.');
  if (host.length > DOMAIN_CHARACTERS_MAX || !labels.every((label) => LABEL.test(label))) return undefined;
  if (labels.length === 1 && host !== 'localhost') return undefined;

  const name = labels[0] === 'www' && labels.length > 2 ? labels.slice(1).join('.') : host;
  const uncounted = [...DEVELOPMENT_NAMES, ...stagingNames].some(
    (known) => name === known || name.endsWith(`.${known}`),
  );
  return { name, counted: !uncounted };
}

function hostOf(text: string): string | undefined {
  if (text === '' || BLANK_OR_CONTROL.test(text)) return undefined;
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return undefined;
  if (url.username !== '' || url.password !== '') return undefined;
  return url.hostname.replace(/\.$/, '');
}
