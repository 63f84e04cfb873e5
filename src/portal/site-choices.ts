import type { Static } from '@sinclair/typebox';
import { isRefusal, refuse } from '../domain/refusal.ts';
import type { SiteDetails } from '../routes/fields/site-fields.ts';
import { askUnless, isId } from './ask.ts';
import { SITES_SHOWN, siteNames } from './site-names.ts';
import { TEXTS } from './texts.ts';
import type { PortalParts, Visit } from './visit.ts';

/** Returns a site of the tenant, or a refusal if it has no such site. */
export async function ownSite(parts: PortalParts, visit: Visit, id: string) {
  if (!isId(id)) return refuse('SITE_NOT_FOUND', TEXTS.noSite);
  const path = `/sites/${id}`;
  const site = await askUnless<Static<typeof SiteDetails>>(['NOT_FOUND'], parts, visit, path);
  return isRefusal(site) ? refuse('SITE_NOT_FOUND', TEXTS.noSite) : site;
}

/** Returns the sites to choose from, including the chosen one. */
export async function siteChoices(
  parts: PortalParts,
  visit: Visit,
  chosen: string | undefined,
): Promise<(readonly [id: string, url: string])[]> {
  const names = await siteNames(parts, visit, SITES_SHOWN);
  if (chosen === undefined || chosen === '' || names.has(chosen)) return [...names];
  const site = await ownSite(parts, visit, chosen);
  return isRefusal(site) ? [...names] : [...names, [site.id, site.url]];
}
