/** @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx';
import { licenseName } from '../domain/license/license-name.ts';
import type { HookContext } from '../http/context.ts';
import { assetsBelow } from '../pages/assets.ts';
import { answerPage, type Frame, type Place, refusalPageOf } from '../pages/html.tsx';
import { HOME, PLACES } from './places.ts';
import { TEXTS } from './texts.ts';
import type { Visit } from './visit.ts';

const FRAME: Frame = { name: TEXTS.portal, home: HOME, assets: assetsBelow(HOME) };
export const { assets: ASSETS } = FRAME;

interface PortalPage {
  readonly title: string;
  readonly sub?: Child;
  /** The place that the page belongs to. */
  readonly at: Place;
  readonly children?: Child;
}

/** Answers whoever has signed in with a page of the portal. */
export function showPage({ set, caller }: Visit, { at, ...page }: PortalPage, status = 200): Response {
  const isExpired = caller.standing.state === 'expired';
  const top = {
    places: isExpired ? [PLACES.overview] : Object.values(PLACES),
    at,
    who: <span>{licenseName(caller.license.id)}</span>,
    signOut: `${HOME}/sign-out`,
  };
  return answerPage(FRAME, set, { ...page, top }, status);
}

/** The same for whoever has not. */
export const showOutside = (
  set: HookContext['set'],
  page: Omit<PortalPage, 'at'> & { readonly again?: boolean },
  status = 200,
): Response => answerPage(FRAME, set, page, status);

/** What shows a refusal to a tenant. */
export const refusalPage = refusalPageOf(FRAME);
