/** @jsxImportSource hono/jsx */
import { type Child, Fragment } from 'hono/jsx';
import { type Brand, OWN_NAME } from '../domain/brand/brand.ts';
import type { Refusal, RefusalCode } from '../domain/refusal.ts';
import { complete, type HookContext } from '../http/context.ts';
import { STATUS_OF } from '../http/statuses.ts';
import { VERSION } from '../lib/version.ts';
import type { Assets } from './assets.ts';
import { Copyable, CopyableText } from './copy.tsx';
import { Icon, type IconName, IconSheet } from './icons.tsx';
import type { Notice } from './notices.ts';
import { WORDS } from './words.ts';

const HEADERS = {
  'content-type': 'text/html;charset=utf-8',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; " +
    "base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
  'cross-origin-opener-policy': 'same-origin',
  // Of no-referrer, browsers would hide the origin of forms as well.
  'referrer-policy': 'same-origin',
};

/** What the pages of one kind have around them. */
export interface Frame {
  /** What they are called together. */
  readonly name: string;
  /** The path of their first page. */
  readonly home: string;
  readonly assets: Assets;
  /** Whose pages they are, where that is not this program. */
  readonly brand?: Pick<Brand, 'name' | 'support'>;
}

/** A page that every page leads to. */
export interface Place {
  readonly path: string;
  readonly words: string;
  readonly icon: IconName;
  /** How much of it needs attention. */
  readonly mark?: { readonly count: number; readonly is: 'bad' | 'warn' } | undefined;
  /** The heading that it is listed under; without one, it comes first. */
  readonly group?: string;
}

export interface PageProps {
  readonly title: string;
  /** Below the title. */
  readonly sub?: Child;
  /** Beside the title: what can be done here. */
  readonly actions?: Child;
  /** Where a person who has signed in may go, and who that is; left out before. */
  readonly top?: {
    readonly places: readonly Place[];
    /** The one that the page belongs to. */
    readonly at: Place | undefined;
    readonly search?: Child;
    /** Who looks, within the form that signs out. */
    readonly who: Child;
    readonly signOut: string;
  };
  /** What was just done. */
  readonly notices?: readonly Notice[] | undefined;
  /** Has the browser ask again at once, as its own visitor, or ask for another address. */
  readonly again?: boolean | string | undefined;
  readonly children?: Child;
}

function Page({
  frame,
  title,
  sub,
  actions,
  top,
  notices = [],
  again = false,
  children,
}: PageProps & { frame: Frame }) {
  const { style, script, icon, logo = icon } = frame.assets;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        {again ? <meta http-equiv="refresh" content={again === true ? '0' : `0; url=${again}`} /> : null}
        <title>{`${title} · ${frame.name}`}</title>
        <link rel="icon" href={logo.path} type={logo.type} />
        <link rel="stylesheet" href={style.path} />
        <script src={script.path}></script>
      </head>
      <body class={top ? 'app' : 'outside'}>
        <a class="skip" href="#content">
          {WORDS.skip}
        </a>
        {top ? (
          <aside class="side">
            <IconSheet of={['menu', ...top.places.map((place) => place.icon)]} />
            <BrandLink of={frame} />
            <Places {...top} />
            <Foot of={frame} />
          </aside>
        ) : null}
        <div>
          <header class="top">
            <BrandLink of={frame} />
            {top ? (
              <details class="menu">
                <summary>
                  <Icon name="menu" />
                  {WORDS.menu}
                </summary>
                <Places {...top} />
              </details>
            ) : null}
            {top?.search}
            {top ? <Person {...top} /> : null}
          </header>
          <main id="content" tabindex={-1}>
            <div class="head">
              <div>
                <h1>{title}</h1>
                {sub === undefined ? null : <p class="quiet">{sub}</p>}
              </div>
              {actions === undefined ? null : <div class="acts">{actions}</div>}
            </div>
            {notices.map((notice) => (
              <NoticeShown notice={notice} />
            ))}
            {children}
          </main>
          <Foot of={frame} />
        </div>
      </body>
    </html>
  );
}

const BrandLink = ({ of: { home, brand, assets } }: { readonly of: Frame }) => (
  <a class="brand" href={home}>
    {assets.logo ? (
      <img src={assets.logo.path} alt="" />
    ) : (
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="M2 20V8h3v3h3V8h2.5V4h3v4H16v3h3V8h3v12z" />
      </svg>
    )}
    {brand?.name ?? OWN_NAME}
  </a>
);

const Places = ({ places, at }: Pick<NonNullable<PageProps['top']>, 'places' | 'at'>) => (
  <nav class="places" aria-label={WORDS.nav}>
    {[...Map.groupBy(places, ({ group }) => group)].map(([group, listed]) => (
      <Fragment>
        {group === undefined ? null : <h2>{group}</h2>}
        {listed.map(({ path, words, icon, mark }) => (
          <a href={path} aria-current={path === at?.path ? 'page' : undefined}>
            <Icon name={icon} />
            {words}
            {mark === undefined || mark.count === 0 ? null : (
              <span class={`mark ${mark.is}`}>{whole(mark.count)}</span>
            )}
          </a>
        ))}
      </Fragment>
    ))}
  </nav>
);

/** The first letters of a name in a circle; the name is next to it. */
export const Avatar = ({ name }: { readonly name: string }) => (
  <i class="avatar" aria-hidden="true">
    {name
      .split(/\s+/)
      .filter((word) => word !== '')
      .slice(0, 2)
      .map((word) => [...word][0]?.toUpperCase())
      .join('')}
  </i>
);

const Person = ({ who, signOut }: Pick<NonNullable<PageProps['top']>, 'who' | 'signOut'>) => (
  <form method="post" action={signOut} class="tools">
    {who}
    <button type="submit">{WORDS.signOut}</button>
  </form>
);

/** The version, or who helps, and the reader's choices, which need a script. */
const Foot = ({ of: { brand } }: { readonly of: Frame }) => (
  <footer>
    {brand === undefined || brand.name === OWN_NAME ? `${OWN_NAME} ${VERSION}` : brand.name}
    {brand?.support === undefined ? null : <a href={brand.support}>{WORDS.support}</a>}
    <button type="button" data-choice="zone" data-values={WORDS.zones.join('|')} hidden></button>
    <button type="button" data-choice="theme" data-values={WORDS.themes.join('|')} hidden></button>
  </footer>
);

const NoticeShown = ({ notice: { words, secret, letter, more = [] } }: { readonly notice: Notice }) => (
  <div class="notice good" role="status">
    <strong>{words}</strong>
    {secret === undefined ? null : <Copyable text={secret} />}
    {letter === undefined ? null : (
      <details>
        <summary>{letter.title}</summary>
        <CopyableText text={letter.text} />
      </details>
    )}
    {more.map((sentence) => (
      <p>{sentence}</p>
    ))}
  </div>
);

/** A count, as people write it. */
export const whole = (count: number): string => count.toLocaleString('en');

const KIB = 1_024;
const UNITS = ['', 'KiB', 'MiB', 'GiB'];

/** A count of bytes, as people write it. */
export function volume(bytes: number): string {
  const power = bytes < KIB ** 2 ? 1 : bytes < KIB ** 3 ? 2 : 3;
  const amount = bytes / KIB ** power;
  const rounded =
    power === 1 ? whole(Math.ceil(amount)) : amount.toLocaleString('en', { maximumSignificantDigits: 3 });
  return `${rounded} ${UNITS[power]}`;
}

/** The way to the next page of a list, where there is one. */
export const More = ({ href }: { readonly href: string | undefined }) =>
  href === undefined ? null : (
    <p>
      <a href={href} rel="next">
        {WORDS.more}
      </a>
    </p>
  );

/** A list of facts, each by its name; what is null is left out. */
export const Facts = ({ of }: { readonly of: readonly (readonly [name: string, fact: Child])[] }) => (
  <dl>
    {of.map(([name, fact]) =>
      fact === null || fact === undefined ? null : (
        <Fragment>
          <dt>{name}</dt>
          <dd>{fact}</dd>
        </Fragment>
      ),
    )}
  </dl>
);

/** The head of a table; the positions of columns that hold numbers. */
export const Columns = ({
  of,
  numbers = [],
}: {
  readonly of: readonly string[];
  readonly numbers?: readonly number[];
}) => (
  <thead>
    <tr>
      {of.map((name, at) => (
        <th scope="col" class={numbers.includes(at) ? 'num' : undefined}>
          {name}
        </th>
      ))}
    </tr>
  </thead>
);

/** What went wrong, above a form that keeps what was typed. */
export const Problem = ({ text }: { readonly text: string | undefined }) =>
  text === undefined ? null : (
    <p class="notice bad" role="alert">
      {text}
    </p>
  );

/** What may be wider than the page, so that it is moved by itself, also by keyboard. */
export const Scroll = ({ label, children }: { readonly label: string; readonly children?: Child }) => (
  <section class="scroll" aria-label={label} tabindex={0}>
    {children}
  </section>
);

/**
 * Answers with a page.
 *
 * @param refused the code of the refusal that the page shows, which decides the status; undefined = 200
 */
export function answerPage(
  frame: Frame,
  set: HookContext['set'],
  props: PageProps,
  refused?: RefusalCode,
): Response {
  Object.assign(set.headers, HEADERS);
  const status = refused === undefined ? 200 : STATUS_OF[refused];
  return complete(set, status, `<!doctype html>\n${Page({ frame, ...props })}`);
}

/** Sends the browser on, by GET. */
export function goTo(set: HookContext['set'], path: string): Response {
  set.headers.location = path;
  return complete(set, 303, null);
}

/** Says when what was refused may be tried again, where that is known. */
export function noteWait(set: HookContext['set'], { retryAfterSeconds }: Refusal): void {
  if (retryAfterSeconds !== undefined) set.headers['retry-after'] = String(retryAfterSeconds);
}

/** Shows a refusal on pages of one kind. */
export const refusalPageOf =
  (frame: Frame) =>
  (set: HookContext['set'], { refused, message }: Refusal): Response => {
    const children = (
      <Fragment>
        <p class="notice bad">{message}</p>
        <p>
          <a href={frame.home}>{WORDS.back}</a>
        </p>
      </Fragment>
    );
    return answerPage(frame, set, { title: WORDS.failed, children }, refused);
  };
