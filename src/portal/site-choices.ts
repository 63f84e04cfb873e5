import type { Static } from '@sinclair/typebox';
import { isRefusal, refuse } from '../domain/refusal.ts';
import type { SiteDetails, SiteList } from '../routes/fields/site-fields.ts';
import { ask, askUnless, idOf } from './ask.ts';
import type { PortalParts, Visit } from './visit.ts';

/** As many as a list can be chosen from by eye; others are chosen by an address that names them. */
const SITES_MAX = 100;

/** A tenant's own site; a refusal when it has none of this id. */
export async function ownSite(parts: PortalParts, visit: Visit, id: string) {
  const path = `/sites/${idOf(id)}`;
  const site = await askUnless<Static<typeof SiteDetails>>(['NOT_FOUND'], parts, visit, path);
  return isRefusal(site) ? refuse('SITE_NOT_FOUND', site.message) : site;
}

/** The sites that a tenant may choose of, the chosen one always among them. */
export async function siteChoices(
  parts: PortalParts,
  visit: Visit,
  chosen: string | undefined,
): Promise<(readonly [id: string, url: string])[]> {
  const { sites } = await ask<Static<typeof SiteList>>(parts, visit, `/sites?limit=${SITES_MAX}`);
  const choices = sites.map(({ id, url }) => [id, url] as const);
  if (chosen === undefined || chosen === '' || sites.some(({ id }) => id === chosen)) return choices;
  const site = await ownSite(parts, visit, chosen);
  return isRefusal(site) ? choices : [...choices, [site.id, site.url]];
}
