/** @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx';
import { hasRole } from '../domain/admin/operator.ts';
import { NOTE_CHARACTERS_MAX } from '../domain/license/customer.ts';
import type { RefusalCode } from '../domain/refusal.ts';
import type { HookContext } from '../http/context.ts';
import { assetsBelow } from '../pages/assets.ts';
import { Avatar, answerPage, type Frame, type Place, refusalPageOf } from '../pages/html.tsx';
import type { Notice } from '../pages/notices.ts';
import type { Operator } from '../storage/operators/operators.ts';
import type { Marks } from './marks.ts';
import { PLACES } from './places.ts';
import { TEXTS } from './texts.ts';

const FRAME: Frame = { name: TEXTS.console, home: '/console', assets: assetsBelow('/console') };
export const { assets: ASSETS } = FRAME;

/** The signed-in operator, with the counts of the menu. */
type ShownOperator = Operator & { readonly marks?: Marks };

const markOf = (name: string, marks: Marks | undefined): Place['mark'] => {
  if (name === 'alerts') return { count: marks?.alerts ?? 0, is: 'bad' };
  return name === 'vulnerabilities' ? { count: marks?.vulnerabilities ?? 0, is: 'warn' } : undefined;
};

/** Returns the menu entries for an operator. Payments are listed only if there are any. */
const placesOf = ({ role: own, marks }: ShownOperator, at: Place | undefined): Place[] =>
  Object.entries(PLACES)
    .filter(([, place]) => hasRole(own, place.role))
    .filter(([name, place]) => name !== 'payments' || place === at || marks?.hasPayments !== false)
    .map(([name, place]) => ({ ...place, mark: markOf(name, marks) }));

interface ConsolePage {
  readonly title: string;
  readonly sub?: Child;
  readonly actions?: Child;
  /** The signed-in operator; undefined before sign-in. */
  readonly operator?: ShownOperator;
  /** The menu entry of the page. */
  readonly at?: Place;
  readonly notices?: readonly Notice[];
  readonly again?: boolean | string;
  readonly children?: Child;
}

export const SEARCH_PATH = '/console/search';

const SearchBar = () => (
  <search>
    <form method="post" action={SEARCH_PATH} class="find">
      <input
        type="search"
        name="text"
        aria-label={TEXTS.search.label}
        placeholder={TEXTS.search.hint}
        maxlength={NOTE_CHARACTERS_MAX}
        autocomplete="off"
        data-find
        required
      />
      <span>/</span>
    </form>
  </search>
);

/** Answers with a page of the console. */
export function showPage(
  set: HookContext['set'],
  { operator, at, ...page }: ConsolePage,
  refused?: RefusalCode,
): Response {
  const top = operator && {
    places: placesOf(operator, at),
    at,
    search: <SearchBar />,
    who: (
      <a href="/console/account">
        <Avatar name={operator.name} />
        {operator.name}
      </a>
    ),
    signOut: '/console/sign-out',
  };
  return answerPage(FRAME, set, { ...page, ...(top ? { top } : {}) }, refused);
}

interface Shown {
  /** Default: the name of the place. */
  readonly title?: string;
  readonly sub?: Child;
  readonly actions?: Child;
  readonly notices?: readonly Notice[];
  /** The code of the refusal that the page shows. */
  readonly refused?: RefusalCode | undefined;
}

/** Answers with a page that belongs to a menu entry. */
export const showPlace = (
  { set, operator }: { readonly set: HookContext['set']; readonly operator: ShownOperator },
  at: Place,
  children: Child,
  { title = at.words, refused, ...shown }: Shown = {},
): Response => showPage(set, { ...shown, title, operator, at, children }, refused);

/** Renders a refusal as a page of the console. */
export const refusalPage = refusalPageOf(FRAME);
