import { isIP } from 'node:net';
import { EMAIL_TEXT } from '../license/email.ts';
import { isNotifiable } from '../surface/address.ts';
import { ADDRESS_CHARACTERS_MAX, type TargetKind } from './target.ts';

/** An address that can be a target's, in the form in which it is stored. */
export interface TargetAddress {
  readonly kind: TargetKind;
  readonly address: string;
}

const SYSLOG_TLS_PORT = 6514;
const MAIL = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.)+[A-Za-z0-9-]{2,63}$/;
const UNIX_PATH = /^\/[\x21-\x7e]{1,100}$/;
/** Control characters as a URL writes them. */
const CONTROL = /%(?:[01][0-9a-f]|7f)/i;
/** The first ends a request's line or a header, and the others are shown as what they are not. */
const BROKEN = /[^\x21-\x7e]/;

/**
 * Reads the address of a target, which gives its kind: `https://...`, `mailto:...`, `syslog+tls://host:port` or
 * `syslog+unix:///path`. Where a name leads is checked with each delivery.
 *
 * @param allowPrivate whether private networks and `http://` are accepted
 * @returns why it is none, as a sentence for the person who typed it
 */
export function parseTargetAddress(
  text: string,
  { allowPrivate }: { readonly allowPrivate: boolean },
): TargetAddress | { readonly refused: string } {
  if (text.length > ADDRESS_CHARACTERS_MAX)
    return { refused: `The address has more than ${ADDRESS_CHARACTERS_MAX} characters.` };
  if (BROKEN.test(text)) return { refused: 'The address contains spaces, control or non-ASCII characters.' };
  if (/^mailto:/i.test(text)) return mail(text.slice('mailto:'.length));
  if (!URL.canParse(text)) return refusedForm;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '')
    return { refused: 'The address contains a user or password. Use the secret of the target instead.' };
  if (url.hash !== '') return { refused: 'The address contains a fragment (#). Remove it.' };
  if (url.port === '0') return { refused: 'The address has the port 0. Use the port of the receiver.' };
  if (!isReachable(url, allowPrivate)) return { refused: FORBIDDEN };
  if (url.protocol === 'https:') return { kind: 'webhook', address: url.href };
  if (url.protocol === 'http:')
    return allowPrivate ? { kind: 'webhook', address: url.href } : { refused: NOT_ENCRYPTED };
  if (url.protocol === 'syslog+tls:') return syslogTls(url);
  if (url.protocol === 'syslog+unix:') return syslogUnix(url);
  return refusedForm;
}

/** Why nothing is sent to an address, which settings can allow in part. */
export const FORBIDDEN =
  'The address leads to this host, to a link-local or metadata address, or to a private network. Use another one. SERVICE_NOTIFY_ALLOW_PRIVATE=1 allows private networks.';
export const NOT_ENCRYPTED =
  'The address is not encrypted. Use https. SERVICE_NOTIFY_ALLOW_PRIVATE=1 also allows http.';

/** Whether deliveries can reach what an address names, as far as it says so itself: names are resolved with each delivery. */
function isReachable({ hostname }: URL, allowPrivate: boolean): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (/^(?:.+\.)?localhost\.?$/i.test(host)) return false;
  return isIP(host) === 0 || isNotifiable(host, allowPrivate);
}

const refusedForm = {
  refused: 'The address must start with https://, mailto:, syslog+tls:// or syslog+unix:///.',
};

function mail(address: string): ReturnType<typeof parseTargetAddress> {
  return MAIL.test(address) && EMAIL_TEXT.test(address)
    ? { kind: 'mail', address: `mailto:${address}` }
    : { refused: 'The address is not one mailbox, such as mailto:alerts@example.com.' };
}

function syslogTls({ hostname, port, pathname, search }: URL): ReturnType<typeof parseTargetAddress> {
  if (hostname === '' || (pathname !== '' && pathname !== '/') || search !== '')
    return { refused: 'The address must be syslog+tls:// with a host and a port only.' };
  return { kind: 'syslog', address: `syslog+tls://${hostname}:${port || SYSLOG_TLS_PORT}` };
}

function syslogUnix({ hostname, pathname, search }: URL): ReturnType<typeof parseTargetAddress> {
  return hostname === '' && search === '' && UNIX_PATH.test(pathname) && !CONTROL.test(pathname)
    ? { kind: 'syslog', address: `syslog+unix://${pathname}` }
    : { refused: 'The address must be syslog+unix:// with the absolute path of a socket.' };
}

/**
 * An address for those who only read: without the mailbox, and without the path and query of a webhook, which are often its password.
 *
 * @param address as it is stored
 */
export function maskedAddress({ kind, address }: TargetAddress): string {
  if (kind === 'mail') return `mailto:…${address.slice(address.lastIndexOf('@'))}`;
  return kind === 'webhook' ? `${new URL(address).origin}/…` : address;
}
