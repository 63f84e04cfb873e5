import { Elysia } from 'elysia';
import { PLACES } from './places.ts';
import { page } from './session.ts';
import { showPage } from './show-page.tsx';
import { TEXTS } from './texts.ts';
import type { PortalParts } from './visit.ts';

const WORDS = TEXTS.evidence;

export const evidencePages = (parts: PortalParts) => {
  const show = page(parts, async (visit) => showPage(visit, { title: WORDS.title, at: PLACES.evidence }));
  return new Elysia().get(PLACES.evidence.path, show as () => Promise<Response>);
};
