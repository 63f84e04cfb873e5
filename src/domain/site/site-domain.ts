import ipaddr from 'ipaddr.js';

/** A site's normalised host. */
export interface SiteDomain {
  readonly name: string;
  /** False for development hosts, which take up no site of a license. */
  readonly counted: boolean;
}

const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
/** As a URL parser writes an address: dotted decimal, or in brackets. */
const ADDRESS = /^(?:\[|\d+\.\d+\.\d+\.\d+$)/;
const NAME_CHARACTERS_MAX = 253;
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
 * Normalises what a client calls its domain: a bare name, an address or a URL.
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
    return { name: host, counted: ipaddr.process(address).range() === 'unicast' };
  }

  const labels = host.split('.');
  if (host.length > NAME_CHARACTERS_MAX || !labels.every((label) => LABEL.test(label))) return undefined;
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
