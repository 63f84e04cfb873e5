import { metaContents } from './html.ts';
import type { SiteResponse } from './visit.ts';

/** Sources by directive; of several directives with one name, the first counts. */
type Policy = ReadonlyMap<string, readonly string[]>;

function parsePolicy(text: string): Policy {
  const directives = new Map<string, readonly string[]>();
  for (const directive of text.split(';')) {
    const [name = '', ...sources] = directive.trim().toLowerCase().split(/\s+/);
    if (name !== '' && !directives.has(name)) directives.set(name, sources);
  }
  return directives;
}

/** The policies in a page's headers. All of them hold at once. */
const headerPolicies = ({ headers }: SiteResponse): Policy[] =>
  (headers.get('content-security-policy') ?? [])
    .flatMap((value) => value.split(','))
    .map(parsePolicy)
    .filter(({ size }) => size > 0);

/** Those in its headers and in its meta tags. */
const policiesOf = (page: SiteResponse): Policy[] => [
  ...headerPolicies(page),
  ...metaContents(page, 'http-equiv', 'content-security-policy').map(parsePolicy),
];

/** The sources of a directive in each policy that has it, or its fallback. */
const sourcesIn = (policies: readonly Policy[], name: string, fallback = name) =>
  policies.flatMap((policy) => {
    const sources = policy.get(name) ?? policy.get(fallback);
    return sources === undefined ? [] : [sources];
  });

export const hasPolicy = (page: SiteResponse): boolean => policiesOf(page).length > 0;

const ANY_SITE = ['*', 'http:', 'https:'];

/** Whether any site may frame a page by its policies; undefined when they say nothing of it. A meta tag cannot. */
export function framesAnywhere(page: SiteResponse): boolean | undefined {
  const ancestors = sourcesIn(headerPolicies(page), 'frame-ancestors');
  if (ancestors.length === 0) return undefined;
  return ancestors.every((sources) => sources.some((source) => ANY_SITE.includes(source)));
}

const UNSAFE_SOURCES = ["'unsafe-inline'", "'unsafe-eval'", '*', 'http:', 'https:', 'data:'];
/** With one of these, browsers ignore 'unsafe-inline', and with 'strict-dynamic' whole schemes as well (CSP level 3). */
const NONCE_OR_HASH = /^'(?:nonce-|sha(?:256|384|512)-)/;

function unsafeIn(sources: readonly string[]): string[] {
  const hasNonce = sources.some((source) => NONCE_OR_HASH.test(source));
  const ignored = [
    ...(hasNonce ? ["'unsafe-inline'"] : []),
    ...(hasNonce && sources.includes("'strict-dynamic'") ? ['*', 'http:', 'https:', 'data:'] : []),
  ];
  return UNSAFE_SOURCES.filter((source) => sources.includes(source) && !ignored.includes(source));
}

/**
 * The sources from which every policy of a page lets any script come, by the names that the standard gives them.
 *
 * @returns undefined when none says anything of scripts
 */
export function unsafeScriptSources(page: SiteResponse): readonly string[] | undefined {
  const [first, ...others] = sourcesIn(policiesOf(page), 'script-src', 'default-src').map(unsafeIn);
  return first?.filter((source) => others.every((unsafe) => unsafe.includes(source)));
}
