import { Elysia } from 'elysia';
import { PLACES } from './places.ts';
import { page } from './session.ts';
import { showPage } from './show-page.tsx';
import { TEXTS } from './texts.ts';
import type { PortalParts } from './visit.ts';

const WORDS = TEXTS.scans;

export const scanPages = (parts: PortalParts) => {
  const show = page(parts, async (visit) => showPage(visit, { title: WORDS.title, at: PLACES.scans }));
  return new Elysia().get(PLACES.scans.path, show as () => Promise<Response>);
};
