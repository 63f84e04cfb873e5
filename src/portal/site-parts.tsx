/** @jsxImportSource hono/jsx */
import type { SiteStatus } from '../domain/site/site-status.ts';
import { Time } from '../pages/time.tsx';
import { PLACES } from './places.ts';
import { TEXTS } from './texts.ts';

const WORDS = TEXTS.sites;
const LOOKS = { active: 'good', stale: 'warn', silent: 'bad' } as const;

/** The path of a site's page. */
export const siteAddress = (id: string): string => `${PLACES.sites.path}/${id}`;

/** The name of a site, of its address. */
export const domainOf = (url: string): string => url.replace('https://', '');

export const SiteBadge = ({ status }: { readonly status: SiteStatus }) => (
  <span class={`badge ${LOOKS[status]}`}>{WORDS.states[status]}</span>
);

/** A moment as the interface writes it, which there may have been. */
export const When = ({ at }: { readonly at: string | null }) =>
  at === null ? <span>{WORDS.never}</span> : <Time at={Date.parse(at)} />;
