import { normalizeSiteDomain } from '../site/site-domain.ts';

/** What is looked at: one site, at the addresses a visitor would type. */
export interface SurfaceTarget {
  /** The site's normalised domain, as licenses register it. */
  readonly domain: string;
  /** As in a URL: an IPv6 address stands in brackets. */
  readonly host: string;
  /** Where the site answers by HTTPS, such as `https://example.com`; null when the target names only its HTTP port. */
  readonly httpsOrigin: string | null;
  readonly httpOrigin: string | null;
  /** Where the site lies on its host: starts and ends with a slash. */
  readonly basePath: string;
}

/**
 * Reads what a caller calls its site. Without a port, both schemes are looked at on their default ports.
 *
 * @param allowPorts whether another port than the scheme's own may be named
 * @returns undefined when the text is not a site that can be looked at
 */
export function surfaceTarget(siteUrl: string, allowPorts: boolean): SurfaceTarget | undefined {
  const domain = normalizeSiteDomain(siteUrl)?.name;
  const text = siteUrl.trim();
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`);
  if (domain === undefined || url === null || (url.port !== '' && !allowPorts)) return undefined;

  const host = url.hostname.replace(/\.$/, '');
  const origin = (protocol: string) => {
    if (url.port === '') return `${protocol}//${host}`;
    return url.protocol === protocol ? `${protocol}//${host}:${url.port}` : null;
  };
  // A path of two slashes would be read as another host.
  const path = url.pathname.replace(/^\/+/, '/');
  return {
    domain,
    host,
    httpsOrigin: origin('https:'),
    httpOrigin: origin('http:'),
    basePath: path.replace(/(?<![^/])[^/]*$/, (last) =>
      last === '' || last.includes('.') ? '' : `${last}/`,
    ),
  };
}

/** Whether a host belongs to a site: the domain itself, with or without `www.`, or below it. */
export function isOfSite(domain: string, host: string): boolean {
  const name = normalizeSiteDomain(host)?.name;
  return name !== undefined && (name === domain || name.endsWith(`.${domain}`));
}
