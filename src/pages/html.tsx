/** @jsxImportSource hono/jsx */
import { type Child, Fragment } from 'hono/jsx';
import type { Refusal } from '../domain/refusal.ts';
import { complete, type HookContext } from '../http/context.ts';
import { STATUS_OF } from '../http/statuses.ts';
import { iso } from '../lib/clock.ts';
import { VERSION } from '../lib/version.ts';
import type { Assets } from './assets.ts';
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
}

/** A page that the head of every page leads to. */
export interface Place {
  readonly path: string;
  readonly words: string;
}

export interface PageProps {
  readonly title: string;
  /** Where somebody who has signed in may go, and who that is; left out before. */
  readonly top?: {
    readonly places: readonly Place[];
    /** The one that the page belongs to. */
    readonly at: Place | undefined;
    /** Who looks, within the form that signs out. */
    readonly who: Child;
    readonly signOut: string;
  };
  /** What was just done. */
  readonly notices?: readonly Notice[] | undefined;
  /** Has the browser ask again at once, as its own visitor. */
  readonly again?: boolean | undefined;
  readonly children?: Child;
}

function Page({ frame, title, top, notices = [], again = false, children }: PageProps & { frame: Frame }) {
  const { style, script, icon } = frame.assets;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        {again ? <meta http-equiv="refresh" content="0" /> : null}
        <title>{`${title} · ${frame.name}`}</title>
        <link rel="icon" href={icon.path} type="image/svg+xml" />
        <link rel="stylesheet" href={style.path} />
        <script src={script.path} defer></script>
      </head>
      <body>
        <a class="skip" href="#content">
          {WORDS.skip}
        </a>
        <header class="top">
          <a class="brand" href={frame.home}>
            Redoubt
          </a>
          {top ? <Top {...top} /> : null}
        </header>
        <main id="content" tabindex={-1}>
          <h1>{title}</h1>
          {notices.map((notice) => (
            <NoticeShown notice={notice} />
          ))}
          {children}
        </main>
        <footer>{`Redoubt ${VERSION}`}</footer>
      </body>
    </html>
  );
}

const Top = ({ places, at, who, signOut }: NonNullable<PageProps['top']>) => (
  <Fragment>
    <nav aria-label={WORDS.nav}>
      {places.map(({ path, words }) => (
        <a href={path} aria-current={path === at?.path ? 'page' : undefined}>
          {words}
        </a>
      ))}
    </nav>
    <form method="post" action={signOut} class="who">
      {who}
      <button type="submit" class="quiet">
        {WORDS.signOut}
      </button>
    </form>
  </Fragment>
);

const NoticeShown = ({ notice: { words, secret, more = [] } }: { readonly notice: Notice }) => (
  <div class="notice good" role="status">
    <strong>{words}</strong>
    {secret === undefined ? null : <code>{secret}</code>}
    {more.map((sentence) => (
      <p>{sentence}</p>
    ))}
  </div>
);

/** A count, as people write it. */
export const whole = (count: number): string => count.toLocaleString('en');

const KIB = 1_024;

/** A count of bytes, as people write it. */
export function volume(bytes: number): string {
  if (bytes < KIB ** 2) return `${Math.ceil(bytes / KIB)} KiB`;
  return bytes < KIB ** 3 ? `${(bytes / KIB ** 2).toFixed(1)} MiB` : `${(bytes / KIB ** 3).toFixed(1)} GiB`;
}

/** A moment in UTC, which a script shows in the viewer's time zone. */
export function Time({ at }: { readonly at: number }) {
  const moment = iso(at);
  return <time datetime={moment}>{`${moment.slice(0, 16).replace('T', ' ')} UTC`}</time>;
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

/** The head of a table. */
export const Columns = ({ of }: { readonly of: readonly string[] }) => (
  <thead>
    <tr>
      {of.map((name) => (
        <th scope="col">{name}</th>
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

/** Answers with a page. */
export function answerPage(frame: Frame, set: HookContext['set'], props: PageProps, status = 200): Response {
  Object.assign(set.headers, HEADERS);
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

/** What shows a refusal to somebody, on pages of one kind. */
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
    return answerPage(frame, set, { title: WORDS.failed, children }, STATUS_OF[refused]);
  };
