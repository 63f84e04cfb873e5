import { requestIdOf } from '../http/context.ts';
import { openRoute, shared } from '../http/route/index.ts';
import { isUnsubscribeToken, unsubscribe } from '../operator/notifications/unsubscribe.ts';
import { readTargets } from '../storage/notifications/targets.ts';
import { INCOMPLETE_LINK, type MailLink, type MailRequest, mailPage, showMailPage } from './mail-pages.ts';
import type { Parts } from './parts.ts';
import { recipientActs } from './recipient-acts.ts';

const ASK = mailPage('Unsubscribe', { button: 'Stop these mails' });
const DONE = mailPage('Unsubscribed', { sentence: 'No more of these mails are sent to you.' });

type UnsubscribeParts = Parts<'clock' | 'db' | 'desk' | 'identities'>;

const subscriptionsOf = shared((parts: UnsubscribeParts) => {
  const { db, identities } = parts;
  const targets = readTargets(db);
  const act = recipientActs(parts);
  return {
    isGenuine: ({ targetId, token }: MailLink) => isUnsubscribeToken(identities, targetId, token),

    /** Whether its mails have ended. */
    async isOver(targetId: string): Promise<boolean> {
      const target = await targets.find(targetId);
      return target === undefined || target.pausedReason === 'recipient';
    },

    end: (targetId: string, requestId: string | undefined) => act(targetId, unsubscribe, requestId),
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
    handle: subscriptionsOf(async ({ isGenuine, isOver }, { set, params }: MailRequest) =>
      isGenuine(params)
        ? showMailPage(set, (await isOver(params.targetId)) ? DONE : ASK)
        : showMailPage(set, INCOMPLETE_LINK, 404),
    ),
  }),
  openRoute({
    at: 'POST /unsubscribe/:targetId/:token',
    limit: 'public',
    handle: subscriptionsOf(async ({ isGenuine, end }, { set, params }: MailRequest) => {
      if (!isGenuine(params)) return showMailPage(set, INCOMPLETE_LINK, 404);
      await end(params.targetId, requestIdOf({ set }));
      return showMailPage(set, DONE);
    }),
  }),
];
