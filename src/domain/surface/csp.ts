import { headerOf, type SiteResponse } from './observation.ts';

/** The directives of a page's Content-Security-Policy headers; of several with one name, the first counts. */
export function cspDirectives(page: SiteResponse): ReadonlyMap<string, readonly string[]> {
  const directives = new Map<string, readonly string[]>();
  for (const directive of (headerOf(page, 'content-security-policy') ?? '').split(/[;,]/)) {
    const [name = '', ...sources] = directive.trim().toLowerCase().split(/\s+/);
    if (name !== '' && !directives.has(name)) directives.set(name, sources);
  }
  return directives;
}

const UNSAFE_SOURCES = ["'unsafe-inline'", "'unsafe-eval'", '*', 'http:', 'https:', 'data:', 'blob:'];
/** With one of these, browsers ignore 'unsafe-inline', and with 'strict-dynamic' whole schemes as well (CSP level 3). */
const NONCE_OR_HASH = /^'(?:nonce-|sha(?:256|384|512)-)/;

/**
 * The sources from which any script may come, by the names that the standard gives them.
 *
 * @returns undefined when the policy says nothing of scripts
 */
export function unsafeScriptSources(page: SiteResponse): readonly string[] | undefined {
  const directives = cspDirectives(page);
  const sources = directives.get('script-src') ?? directives.get('default-src');
  if (sources === undefined) return undefined;
  const hasNonce = sources.some((source) => NONCE_OR_HASH.test(source));
  const ignored = [
    ...(hasNonce ? ["'unsafe-inline'"] : []),
    ...(hasNonce && sources.includes("'strict-dynamic'") ? ['*', 'http:', 'https:'] : []),
  ];
  return UNSAFE_SOURCES.filter((source) => sources.includes(source) && !ignored.includes(source));
}
