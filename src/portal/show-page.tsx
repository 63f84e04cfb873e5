/** @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx';
import { type Brand, OWN_BRAND } from '../domain/brand/brand.ts';
import { licenseName } from '../domain/license/license-name.ts';
import type { RefusalCode } from '../domain/refusal.ts';
import type { HookContext } from '../http/context.ts';
import { assetsBelow } from '../pages/assets.ts';
import { answerPage, type Frame, type Place } from '../pages/html.tsx';
import type { Notice } from '../pages/notices.ts';
import { HOME, PLACES } from './places.ts';
import { TEXTS } from './texts.ts';
import type { Visit } from './visit.ts';

/** What the pages of the portal have around them. */
export const frameOf = (brand: Brand): Frame => ({
  ...{ name: brand === OWN_BRAND ? TEXTS.portal : brand.name, home: HOME },
  ...{ assets: assetsBelow(HOME, brand), brand },
});

interface Shown {
  /** Without it, that of the place. */
  readonly title?: string;
  readonly sub?: Child;
  readonly actions?: Child;
  readonly notices?: readonly Notice[];
  /** The code of the refusal that the page shows. */
  readonly refused?: RefusalCode | undefined;
}

/** Answers a tenant with a page of a place. */
export function showPlace(
  { set, caller, customer, frame }: Visit,
  at: Place,
  children: Child,
  { title = at.words, sub, actions, notices, refused }: Shown = {},
): Response {
  const isExpired = caller.standing.state === 'expired';
  const top = {
    places: isExpired ? [PLACES.overview] : Object.values(PLACES),
    at,
    who: <span>{customer ?? licenseName(caller.license.id)}</span>,
    signOut: `${HOME}/sign-out`,
  };
  return answerPage(frame, set, { title, sub, actions, notices, children, top }, refused);
}

interface OutsidePage {
  readonly title: string;
  readonly children?: Child;
  readonly again?: boolean;
}

/** The same without a session. */
export const showOutside = (
  frame: Frame,
  set: HookContext['set'],
  page: OutsidePage,
  refused?: RefusalCode,
): Response => answerPage(frame, set, page, refused);
