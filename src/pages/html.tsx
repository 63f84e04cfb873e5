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
  // With no-referrer, browsers would send forms with `Origin: null`.
  'referrer-policy': 'same-origin',
};

/** The common frame of a group of pages. */
export interface Frame {
  /** Name of the group, shown in titles. */
  readonly name: string;
  /** Path of the first page. */
  readonly home: string;
  readonly assets: Assets;
  /** The operator's brand, if it replaces that of this program. */
  readonly brand?: Pick<Brand, 'name' | 'support'>;
}

/** An entry of the menu. */
export interface Place {
  readonly path: string;
  readonly words: string;
  readonly icon: IconName;
  /** Number of items that need attention. */
  readonly mark?: { readonly count: number; readonly is: 'bad' | 'warn' } | undefined;
  /** Heading of its group; entries without one are listed first. */
  readonly group?: string;
}

export interface PageProps {
  readonly title: string;
  /** Subtitle. */
  readonly sub?: Child;
  /** Actions next to the title. */
  readonly actions?: Child;
  /** Menu and account of the signed-in person; undefined before sign-in. */
  readonly top?: {
    readonly places: readonly Place[];
    /** The entry of the current page. */
    readonly at: Place | undefined;
    readonly search?: Child;
    /** The person, shown next to the button that signs out. */
    readonly who: Child;
    readonly signOut: string;
  };
  /** Results of the last act. */
  readonly notices?: readonly Notice[] | undefined;
  /** Makes the browser load this page again immediately, as a same-site request, or load another URL. */
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

/** The initials of a name in a circle. Hidden from screen readers, because the name is next to it. */
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

/** Version or brand, support link, and preferences, which need the script. */
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

/** Formats a count with thousands separators. */
export const whole = (count: number): string => count.toLocaleString('en');

const KIB = 1_024;
const UNITS = ['', 'KiB', 'MiB', 'GiB'];

/** Formats a size in KiB, MiB or GiB. */
export function volume(bytes: number): string {
  const power = bytes < KIB ** 2 ? 1 : bytes < KIB ** 3 ? 2 : 3;
  const amount = bytes / KIB ** power;
  const rounded =
    power === 1 ? whole(Math.ceil(amount)) : amount.toLocaleString('en', { maximumSignificantDigits: 3 });
  return `${rounded} ${UNITS[power]}`;
}

/** The link to the next page of a list; nothing if `href` is undefined. */
export const More = ({ href }: { readonly href: string | undefined }) =>
  href === undefined ? null : (
    <p>
      <a href={href} rel="next">
        {WORDS.more}
      </a>
    </p>
  );

/** A list of names and values. Null values are omitted. */
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

/** The header row of a table. `numbers`: indexes of the columns with numbers. */
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

/** The error of a form, shown above it. */
export const Problem = ({ text }: { readonly text: string | undefined }) =>
  text === undefined ? null : (
    <p class="notice bad" role="alert">
      {text}
    </p>
  );

/** A region for wide content, which scrolls separately from the page, also by keyboard. */
export const Scroll = ({ label, children }: { readonly label: string; readonly children?: Child }) => (
  <section class="scroll" aria-label={label} tabindex={0}>
    {children}
  </section>
);

/**
 * Answers with a page.
 *
 * @param refused code of the refusal shown on the page, which determines the status; undefined = 200
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

/** Redirects the browser with 303. */
export function goTo(set: HookContext['set'], path: string): Response {
  set.headers.location = path;
  return complete(set, 303, null);
}

/** Sets Retry-After, if the refusal has a time for it. */
export function noteWait(set: HookContext['set'], { retryAfterSeconds }: Refusal): void {
  if (retryAfterSeconds !== undefined) set.headers['retry-after'] = String(retryAfterSeconds);
}

/** Returns a function that renders refusals as pages. */
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
