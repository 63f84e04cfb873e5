/** @jsxImportSource hono/jsx */
import { worded } from '../pages/identifier-words.ts';
import { Time } from '../pages/time.tsx';
import { PLACES } from './places.ts';
import { TEXTS } from './texts.ts';

const WORDS = TEXTS.sites;

/** Returns the path of a site's page. */
export const siteAddress = (id: string): string => `${PLACES.sites.path}/${id}`;

/** Returns the name of an alert, such as `Login bruteforce`. */
export function alertName(subject: string): string {
  return subject === '' ? TEXTS.alerts.further : worded(subject);
}

/** Returns the domain of a site's URL. */
export const domainOf = (url: string): string => url.replace('https://', '');

/** A timestamp of the API; null = never. */
export const When = ({ at }: { readonly at: string | null }) =>
  at === null ? <span>{WORDS.never}</span> : <Time at={Date.parse(at)} />;
