/** @jsxImportSource hono/jsx */
import { type Child, Fragment } from 'hono/jsx';
import { hasRole } from '../domain/admin/operator.ts';
import type { Refusal } from '../domain/refusal.ts';
import { complete, type HookContext } from '../http/context.ts';
import { STATUS_OF } from '../http/statuses.ts';
import { iso } from '../lib/clock.ts';
import { VERSION } from '../lib/version.ts';
import type { Operator } from '../storage/operators.ts';
import { ICON, SCRIPT, STYLE } from './assets.ts';
import type { Notice } from './notices.ts';
import { PLACES, type Place } from './places.ts';
import { TEXTS } from './texts.ts';

const HEADERS = {
  'content-type': 'text/html;charset=utf-8',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; " +
    "base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
  'cross-origin-opener-policy': 'same-origin',
  // Of no-referrer, browsers would hide the origin of forms as well.
  'referrer-policy': 'same-origin',
};

interface PageProps {
  readonly title: string;
  /** Who looks; undefined before anybody has signed in. */
  readonly operator?: Operator;
  /** The place that the page belongs to. */
  readonly at?: Place;
  /** What was just done. */
  readonly notices?: readonly Notice[];
  /** Has the browser ask again at once, as its own visitor. */
  readonly again?: boolean;
  readonly children?: Child;
}

function Page({ title, operator, at, notices = [], again = false, children }: PageProps) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        {again ? <meta http-equiv="refresh" content="0" /> : null}
        <title>{`${title} · ${TEXTS.console}`}</title>
        <link rel="icon" href={ICON.path} type="image/svg+xml" />
        <link rel="stylesheet" href={STYLE.path} />
        <script src={SCRIPT.path} defer></script>
      </head>
      <body>
        <a class="skip" href="#content">
          {TEXTS.skip}
        </a>
        <header class="top">
          <a class="brand" href="/console">
            Redoubt
          </a>
          {operator ? <Top operator={operator} at={at} /> : null}
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

function Top({ operator, at }: { readonly operator: Operator; readonly at: Place | undefined }) {
  return (
    <Fragment>
      <nav aria-label={TEXTS.nav}>
        {Object.values(PLACES)
          .filter(({ role }) => hasRole(operator.role, role))
          .map(({ path, words }) => (
            <a href={path} aria-current={path === at?.path ? 'page' : undefined}>
              {words}
            </a>
          ))}
      </nav>
      <form method="post" action="/console/sign-out" class="who">
        <a href="/console/account">{operator.name}</a>
        <button type="submit" class="quiet">
          {TEXTS.signOut}
        </button>
      </form>
    </Fragment>
  );
}

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
        {TEXTS.more}
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

/** Where a code of an authenticator app is typed, or one of those kept for its loss. */
export const CodeField = ({ words }: { readonly words: string }) => (
  <label>
    {words}
    <input
      name="code"
      autocomplete="one-time-code"
      autocapitalize="none"
      spellcheck={false}
      required
      maxlength={40}
    />
  </label>
);

/** What may be wider than the page, so that it is moved by itself, also by keyboard. */
export const Scroll = ({ label, children }: { readonly label: string; readonly children?: Child }) => (
  <section class="scroll" aria-label={label} tabindex={0}>
    {children}
  </section>
);

/** Answers with a page. */
export function showPage(set: HookContext['set'], props: PageProps, status = 200): Response {
  Object.assign(set.headers, HEADERS);
  return complete(set, status, `<!doctype html>\n${Page(props)}`);
}

/** Sends the browser on, by GET. */
export function goTo(set: HookContext['set'], path: string): Response {
  set.headers.location = path;
  return complete(set, 303, null);
}

/** What shows a refusal to somebody. */
export const refusalPage = (set: HookContext['set'], { refused, message }: Refusal): Response =>
  showPage(
    set,
    {
      title: TEXTS.failed,
      children: (
        <Fragment>
          <p class="notice bad">{message}</p>
          <p>
            <a href="/console">{TEXTS.back}</a>
          </p>
        </Fragment>
      ),
    },
    STATUS_OF[refused],
  );
