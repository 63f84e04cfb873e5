import { newLicenseKey } from '../domain/license/license-key.ts';
import { isRefusal, type Refusal, refuse } from '../domain/refusal.ts';
import { complete, type HookContext, requestIdOf } from '../http/context.ts';
import { searchParamsOf } from '../http/query.ts';
import { openRoute } from '../http/route/index.ts';
import { STATUS_OF } from '../http/statuses.ts';
import type { Parts } from './parts.ts';

export const CHECKOUT_DONE = '/checkout/done';
export const CHECKOUT_CANCELLED = '/checkout/cancelled';
export const CHECKOUT_MOCK = '/checkout/mock';

const SECURITY_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
const RELOAD_SECONDS = 5;

const PAGES = {
  awaited: {
    title: 'Waiting for your payment',
    text:
      'Once it is confirmed, you can get your license key here. This page refreshes automatically every few seconds. ' +
      'If you paid and nothing changes within an hour, contact the provider of this service. If you did not pay, ' +
      'nothing was bought.',
  },
  ready: {
    title: 'Your license is ready',
    text: 'Its key is shown only once. Have a safe place ready to store it.',
  },
  key: {
    title: 'Your license key',
    text: 'Copy it to a safe place now: it is not shown again. Enter it in your plugin or agent.',
  },
  shown: {
    title: 'Your license is active',
    text: 'Use it with the key that you have. If you lost the key, the provider of this service can replace it.',
  },
  cancelled: { title: 'Nothing was bought', text: 'The payment was cancelled. You can close this page.' },
  mock: {
    title: 'This is not a payment page',
    text: 'No payment processor is configured on this server: this page sells nothing and grants nothing.',
  },
} as const;

const BUTTON = '<form method="post"><button>Show the license key</button></form>';

/** Its arguments are fixed texts and generated keys, never data of a request, so nothing is escaped. */
const html = ({ title, text }: { title: string; text: string }, more = '', head = '') => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${head}<title>${title}</title>
<style>body{font:1.1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem}
code{word-break:break-all}button{font:inherit;padding:.5rem 1rem}</style>
</head>
<body>
<h1>${title}</h1>
<p>${text}</p>
${more}
</body>
</html>
`;

const reloadAfter = (seconds: number) => `<meta http-equiv="refresh" content="${seconds}">\n`;

const page = (set: HookContext['set'], body: string, status = 200): Response => {
  Object.assign(set.headers, {
    'content-type': 'text/html;charset=utf-8',
    'content-security-policy': SECURITY_POLICY,
    // The URL contains the checkout session, which gives access to the key.
    'referrer-policy': 'no-referrer',
  });
  return complete(set, status, body);
};

const refusalPage = (set: HookContext['set'], { refused, message, retryAfterSeconds }: Refusal): Response => {
  const head = retryAfterSeconds === undefined ? '' : reloadAfter(retryAfterSeconds);
  return page(set, html({ title: 'This did not work', text: message }, '', head), STATUS_OF[refused]);
};

/** Renderers of refusals for buyers, by path. Pages of temporary refusals reload. */
export const REFUSAL_PAGES: Readonly<Record<string, typeof refusalPage>> = {
  [CHECKOUT_DONE]: refusalPage,
  [CHECKOUT_CANCELLED]: refusalPage,
  [CHECKOUT_MOCK]: refusalPage,
};

const SESSION_ID = /^[A-Za-z0-9_]{1,255}$/;

/** Returns the checkout session in a URL. Other parameters, such as those added by trackers, are ignored. */
function sessionOf({ url }: Request): string {
  const sessionId = searchParamsOf(url).get('session_id');
  if (sessionId === null) {
    throw refuse('INVALID_QUERY', 'This link is incomplete: its session_id is missing.');
  }
  if (SESSION_ID.test(sessionId)) return sessionId;
  throw refuse('INVALID_QUERY', 'This link is damaged: its session_id is malformed.');
}

/** Renders the state of a checkout. */
async function statePage(
  set: HookContext['set'],
  checkoutId: string,
  { payments: { processor, checkoutState } }: Parts<'payments'>,
): Promise<Response> {
  const state = await checkoutState(checkoutId);
  if (state === 'awaited' && processor === undefined) return page(set, html(PAGES.mock));
  const head = state === 'awaited' ? reloadAfter(RELOAD_SECONDS) : '';
  return page(set, html(PAGES[state], state === 'ready' ? BUTTON : '', head));
}

const fixedPage = (path: string, content: (typeof PAGES)[keyof typeof PAGES]) =>
  openRoute({
    at: `GET ${path}`,
    limit: 'checkout-page',
    handle: ({ set }) => page(set, html(content)),
  });

/** Pages that buyers return to. Showing the key takes a POST, so that link previews do not use it up. */
export const checkoutPage = [
  fixedPage(CHECKOUT_MOCK, PAGES.mock),
  fixedPage(CHECKOUT_CANCELLED, PAGES.cancelled),
  openRoute({
    at: `GET ${CHECKOUT_DONE}`,
    limit: 'checkout-page',
    handle: ({ request, set }, parts: Parts<'payments'>) => statePage(set, sessionOf(request), parts),
  }),
  openRoute({
    at: `POST ${CHECKOUT_DONE}`,
    limit: 'checkout-page',
    async handle({ request, set }, parts: Parts<'clock' | 'payments' | 'writer'>) {
      const checkoutId = sessionOf(request);
      const { key, stored } = newLicenseKey(parts.payments.processor?.environment ?? 'live');
      const reveal = { checkoutId, key: stored, requestId: requestIdOf({ set }), now: parts.clock.now() };
      const refusal = await parts.writer.write('revealKey', reveal);
      if (!isRefusal(refusal)) return page(set, html(PAGES.key, `<p><code>${key}</code></p>`));
      if (refusal.refused === 'NOT_FOUND') return statePage(set, checkoutId, parts);
      throw refusal;
    },
  }),
];
