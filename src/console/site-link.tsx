/** @jsxImportSource hono/jsx */
import { licenseName } from '../domain/license/license-name.ts';
import { PLACES } from './places.ts';

/** Returns the path of a site's page. `license`: such as `lic_1`. */
export const sitePath = (license: string, domain: string): string =>
  `${PLACES.sites.path}/${license}/${encodeURIComponent(domain)}`;

/** Longer domains may wrap at hyphens. */
const UNBROKEN_CHARACTERS = 32;

export const SiteLink = ({ licenseId, domain }: { readonly licenseId: number; readonly domain: string }) => (
  <a
    href={sitePath(licenseName(licenseId), domain)}
    class={domain.length > UNBROKEN_CHARACTERS ? undefined : 'one'}
  >
    {domain}
  </a>
);
