import { isRefusal } from '../domain/refusal.ts';
import { complete, type HookContext, requestIdOf } from '../http/context.ts';
import { openRoute, shared } from '../http/route/index.ts';
import { isUnsubscribeToken, unsubscribe } from '../operator/notifications/unsubscribe.ts';
import { readTargets } from '../storage/notifications/targets.ts';
import type { Parts } from './parts.ts';
import { plainPages } from './plain-page.ts';
import style from './trust/style.css' with { type: 'text' };

const PAGES = plainPages(style, "'self'");
const ASK = PAGES.html({
  title: 'Unsubscribe',
  content: '<h1>Unsubscribe</h1>\n<form method="post"><button type="submit">Stop these mails</button></form>',
});
const DONE = PAGES.html({
  title: 'Unsubscribed',
  content: '<h1>Unsubscribed</h1>\n<p>No more of these mails are sent to you.</p>',
});
const DAMAGED = PAGES.html({
  title: 'Unsubscribe',
  content: '<h1>This link is incomplete</h1>\n<p>Copy the whole link from the mail.</p>',
});

const page = (set: HookContext['set'], body: string, status = 200): Response => {
  Object.assign(set.headers, {
    'content-type': 'text/html;charset=utf-8',
    'content-security-policy': PAGES.policy,
    // The address has the token.
    'referrer-policy': 'no-referrer',
  });
  return complete(set, status, body);
};

/** As a mail has it. */
interface Link {
  readonly targetId: string;
  readonly token: string;
}

type Asking = Pick<HookContext, 'set'> & { readonly params: Link };
type UnsubscribeParts = Parts<'clock' | 'db' | 'desk' | 'identities'>;

const subscriptionsOf = shared(({ clock, db, desk, identities }: UnsubscribeParts) => {
  const targets = readTargets(db);
  return {
    isGenuine: ({ targetId, token }: Link) => isUnsubscribeToken(identities, targetId, token),

    /** Whether its mails have ended. */
    async isOver(targetId: string): Promise<boolean> {
      const target = await targets.find(targetId);
      return target === undefined || target.pausedReason === 'recipient';
    },

    /** @throws Refusal */
    async end(targetId: string, requestId: string | undefined): Promise<void> {
      const act = { actor: 'system', requestId, now: clock.now() } as const;
      const done = await desk.do(undefined, act.now, async () => {
        const target = await targets.find(targetId);
        return target === undefined ? { jobs: [], facts: {} } : { ...unsubscribe(target, act), facts: {} };
      });
      if (isRefusal(done)) throw done;
    },
  };
});

/**
 * Where the recipient of mails ends them, without a session: by the button of the page, or by a mail program's one click (RFC 8058).
 * Opening the page changes nothing, because mail scanners open links.
 */
export const unsubscribePages = [
  openRoute({
    at: 'GET /unsubscribe/:targetId/:token',
    limit: 'public',
    handle: subscriptionsOf(async ({ isGenuine, isOver }, { set, params }: Asking) =>
      isGenuine(params) ? page(set, (await isOver(params.targetId)) ? DONE : ASK) : page(set, DAMAGED, 404),
    ),
  }),
  openRoute({
    at: 'POST /unsubscribe/:targetId/:token',
    limit: 'public',
    handle: subscriptionsOf(async ({ isGenuine, end }, { set, params }: Asking) => {
      if (!isGenuine(params)) return page(set, DAMAGED, 404);
      await end(params.targetId, requestIdOf({ set }));
      return page(set, DONE);
    }),
  }),
];
