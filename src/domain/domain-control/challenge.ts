import { trimInvisible } from '../../lib/trim-invisible.ts';
import { registrableDomain } from '../site/registrable-domain.ts';
import { normalizeSiteDomain } from '../site/site-domain.ts';
import type { ControlProblem } from './control.ts';

/** The two proofs that a license can publish on its domain; either is enough. */
export interface Challenge {
  /** 43 characters of base64url. */
  readonly token: string;
  /** A file that holds the token alone on a line. */
  readonly httpUrl: string;
  /** A TXT record, named and written as draft-ietf-dnsop-domain-verification-techniques asks for. */
  readonly dnsName: string;
  readonly dnsValue: string;
}

/** @param domain normalised */
export const challengeFor = (domain: string, token: string): Challenge => ({
  token,
  httpUrl: `https://${domain}/.well-known/redoubt-challenge.txt`,
  dnsName: `_redoubt-challenge.${domain}`,
  dnsValue: `token=${token} expiry=never`,
});

/**
 * Whether a domain can be proven: an address or a public suffix has no owner.
 *
 * @param allowPrivate whether to check private sites, whose names are in no registry
 */
export const isProvable = (domain: string, allowPrivate: boolean): boolean =>
  allowPrivate || registrableDomain(domain, { privateSuffixes: true }) !== undefined;

/** Whether a host may prove a domain: `www.` is the same site, another subdomain may have another owner. */
export const answersFor = (domain: string, host: string): boolean =>
  normalizeSiteDomain(host)?.name === domain;

/** Whether a file contains the token on a separate line. */
export const holdsToken = (text: string, token: string): boolean =>
  text.split(/\r\n|\r|\n/).some((line) => trimInvisible(line) === token);

/**
 * Evaluates the strings of TXT records. Each string counts separately, because a runtime loses which belong together.
 *
 * @returns null = one of them is the proof
 */
export function judgeTexts(texts: readonly string[], token: string, nowMs: number): ControlProblem | null {
  const told = texts
    .map((text) => trimInvisible(text).split(/\s+/))
    .filter(([first]) => first?.startsWith('token='));
  if (told.length === 0) return 'not_found';
  return told.some(
    ([first, ...rest]) => first === `token=${token}` && rest.every((each) => holds(each, nowMs)),
  )
    ? null
    : 'wrong_token';
}

/** Later versions may add further words to a record. */
function holds(word: string, nowMs: number): boolean {
  const [, expiry] = /^expiry=(.*)$/.exec(word) ?? [];
  return expiry === undefined || expiry === 'never' || nowMs < Date.parse(expiry);
}
