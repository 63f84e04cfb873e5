/** @jsxImportSource hono/jsx */
import { worded } from '../pages/identifier-words.ts';
import { Time } from '../pages/time.tsx';
import { PLACES } from './places.ts';
import { TEXTS } from './texts.ts';

const WORDS = TEXTS.sites;

/** The path of a site's page. */
export const siteAddress = (id: string): string => `${PLACES.sites.path}/${id}`;

/** An alert as people call it, such as `Login bruteforce`. */
export function alertName(subject: string): string {
  return subject === '' ? TEXTS.alerts.further : worded(subject);
}

/** The name of a site, of its address. */
export const domainOf = (url: string): string => url.replace('https://', '');

/** A moment as the interface writes it, which there may have been. */
export const When = ({ at }: { readonly at: string | null }) =>
  at === null ? <span>{WORDS.never}</span> : <Time at={Date.parse(at)} />;
