/** @jsxImportSource hono/jsx */
import { type Child, Fragment } from 'hono/jsx';
import { type Brand, OWN_BRAND } from '../domain/brand/brand.ts';
import { licenseName } from '../domain/license/license-name.ts';
import type { RefusalCode } from '../domain/refusal.ts';
import type { HookContext } from '../http/context.ts';
import { assetsBelow } from '../pages/assets.ts';
import { Avatar, answerPage, type Frame, type Place } from '../pages/html.tsx';
import type { Notice } from '../pages/notices.ts';
import { Tabs } from '../pages/tabs.tsx';
import { familyOf, HOME, MENU, PLACES } from './places.ts';
import { TEXTS } from './texts.ts';
import type { Visit } from './visit.ts';

export const frameOf = (brand: Brand): Frame => ({
  name: brand === OWN_BRAND ? TEXTS.portal : brand.name,
  home: HOME,
  assets: assetsBelow(HOME, brand),
  brand,
});

interface Shown {
  /** Default: the name of the place. */
  readonly title?: string;
  readonly sub?: Child;
  readonly actions?: Child;
  readonly notices?: readonly Notice[];
  /** The code of the refusal that the page shows. */
  readonly refused?: RefusalCode | undefined;
}

/** Answers with a page for a signed-in tenant. */
export function showPlace(
  { set, caller, customer, openAlerts, frame }: Visit,
  at: Place,
  children: Child,
  { title = at.words, sub, actions, notices, refused }: Shown = {},
): Response {
  const isExpired = caller.standing.state === 'expired';
  const { parent, members } = familyOf(at);
  const alerts = { count: openAlerts, is: 'bad' } as const;
  const menu = MENU.map((place) => (place === PLACES.alerts ? { ...place, mark: alerts } : place));
  const top = {
    places: isExpired ? [PLACES.overview] : menu,
    at: parent,
    who: (
      <span>
        <Avatar name={customer ?? licenseName(caller.license.id)} />
        {customer ?? licenseName(caller.license.id)}
      </span>
    ),
    signOut: `${HOME}/sign-out`,
  };
  const shown = (
    <Fragment>
      {members.length > 1 ? (
        <Tabs
          label={parent.words}
          of={members.map(({ path, words }) => ({ href: path, words, isCurrent: path === at.path }))}
        />
      ) : null}
      {children}
    </Fragment>
  );
  return answerPage(frame, set, { title, sub, actions, notices, children: shown, top }, refused);
}

interface OutsidePage {
  readonly title: string;
  readonly children?: Child;
  readonly again?: boolean;
}

/** Answers with a page without a session. */
export const showOutside = (
  frame: Frame,
  set: HookContext['set'],
  page: OutsidePage,
  refused?: RefusalCode,
): Response => answerPage(frame, set, page, refused);
