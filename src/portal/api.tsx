/** @jsxImportSource hono/jsx */
import type { Static } from '@sinclair/typebox';
import { reachesPlan } from '../domain/license/catalog.ts';
import { isRefusal } from '../domain/refusal.ts';
import { getAt } from '../http/route/endpoint.ts';
import { Scroll } from '../pages/html.tsx';
import type { SiteList } from '../routes/fields/site-fields.ts';
import { exampleDomain, examplesOf } from './api-examples.ts';
import { askUnless } from './ask.ts';
import { PLACES } from './places.ts';
import { page } from './session.ts';
import { showPlace } from './show-page.tsx';
import { domainOf } from './site-parts.tsx';
import { TEXTS } from './texts.ts';
import type { PortalParts, Visit } from './visit.ts';

const WORDS = TEXTS.api;

/** The page with example requests, which contain a site of the tenant, but never its key. */
export const apiPage = (parts: PortalParts) => {
  const names = async (visit: Visit): Promise<string[]> => {
    const found = await askUnless<Static<typeof SiteList>>(['PLAN_REQUIRED'], parts, visit, '/sites?limit=1');
    const sites = isRefusal(found) ? [] : found.sites.map(({ url }) => domainOf(url));
    return [...sites, ...visit.caller.license.domains];
  };

  const show = async (visit: Visit) => {
    const { plan } = visit.caller.standing;
    // Without a configured URL, the one used by the browser.
    const service = parts.config.baseUrl ?? parts.portal.seen(visit.request).origin;
    const examples = examplesOf(service, exampleDomain(await names(visit)));
    return showPlace(
      visit,
      PLACES.api,
      <div class="cards">
        <section class="card wide">
          <h2>{WORDS.first}</h2>
          <p>{WORDS.key}</p>
          <Scroll label={WORDS.first}>
            <pre>{WORDS.keyCommand}</pre>
          </Scroll>
          <p>
            <a href="/docs">{WORDS.reference}</a> · <a href="/docs/handbook/clients">{WORDS.clients}</a>
          </p>
        </section>
        {examples.map((example) => (
          <section class="card wide">
            <h2>{example.title}</h2>
            {reachesPlan(plan, example.plan) ? (
              <p class="quiet">{example.plan === 'free' ? WORDS.everyPlan : WORDS.needs(example.plan)}</p>
            ) : (
              <p class="notice warn">{WORDS.lacks(example.plan, plan)}</p>
            )}
            <Scroll label={example.title}>
              <pre>{example.command}</pre>
            </Scroll>
          </section>
        ))}
      </div>,
    );
  };

  return [getAt(PLACES.api.path, page(parts, show))];
};
