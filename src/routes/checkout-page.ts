import { Elysia, t } from 'elysia';
import { newLicenseKey } from '../domain/license-key.ts';
import { isRefusal } from '../domain/refusal.ts';
import { complete, type HookContext } from '../http/context.ts';
import type { Parts } from '../parts.ts';

export const CHECKOUT_DONE = '/checkout/done';
export const CHECKOUT_CANCELLED = '/checkout/cancelled';
export const CHECKOUT_MOCK = '/checkout/mock';

const SECURITY_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
const RELOAD_SECONDS = 5;

const PAGES = {
  awaited: {
    title: 'Thank you',
    text: 'Your payment is being confirmed. This page looks again by itself every few seconds.',
  },
  ready: {
    title: 'Your license is ready',
    text: 'Its key is shown once. Have a safe place for it at hand.',
  },
  key: {
    title: 'Your license key',
    text: 'Copy it to a safe place now: it is not shown again. Your plugin or agent asks for it.',
  },
  shown: {
    title: 'Your license is active',
    text: 'It goes with the key that you have. A lost key is replaced by whoever runs this service.',
  },
  cancelled: { title: 'Nothing was bought', text: 'The payment was cancelled. You can close this page.' },
  mock: {
    title: 'This is not a payment page',
    text: 'No payment processor is configured on this server: this page sells nothing and grants nothing.',
  },
} as const;

const BUTTON = '<form method="post"><button>Show the license key</button></form>';

/** Only our own texts and keys come in here; nothing of a request does. */
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

const RELOAD = `<meta http-equiv="refresh" content="${RELOAD_SECONDS}">\n`;

const page = (set: HookContext['set'], body: string): Response => {
  Object.assign(set.headers, {
    'content-type': 'text/html;charset=utf-8',
    'content-security-policy': SECURITY_POLICY,
    'cache-control': 'no-store',
    // The address holds the session that the key is shown for.
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  });
  return complete(set, 200, body);
};

const SessionQuery = t.Object({ session_id: t.String({ pattern: '^[A-Za-z0-9_]{1,255}$' }) });

/** Where a buyer lands. The key is behind a button, so that whatever previews links does not use it up. */
export const checkoutPage = ({ limits, payments: { processor, checkoutState }, writer, clock }: Parts) =>
  new Elysia({ detail: { hide: true } })
    .derive(limits.perIp('checkout-page'))
    .get(CHECKOUT_MOCK, ({ set }) => page(set, html(PAGES.mock)))
    .get(CHECKOUT_CANCELLED, ({ set }) => page(set, html(PAGES.cancelled)))
    .get(
      CHECKOUT_DONE,
      ({ query, set }) => {
        const state = checkoutState(query.session_id);
        return page(
          set,
          html(PAGES[state], state === 'ready' ? BUTTON : '', state === 'awaited' ? RELOAD : ''),
        );
      },
      { query: SessionQuery },
    )
    .post(
      CHECKOUT_DONE,
      async ({ query, set }) => {
        const { key, stored } = newLicenseKey(processor?.environment ?? 'live');
        const refusal = await writer.write('revealKey', {
          checkoutId: query.session_id,
          key: stored,
          now: clock.now(),
        });
        if (isRefusal(refusal)) {
          if (refusal.refused !== 'NOT_FOUND') throw refusal;
          return page(set, html(PAGES[checkoutState(query.session_id)]));
        }
        return page(set, html(PAGES.key, `<p><code>${key}</code></p>`));
      },
      { query: SessionQuery },
    );
