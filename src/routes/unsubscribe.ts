import { requestIdOf } from '../http/context.ts';
import { openRoute, shared } from '../http/route/index.ts';
import { isUnsubscribeToken, unsubscribe } from '../operator/notifications/unsubscribe.ts';
import { readTargets } from '../storage/notifications/targets.ts';
import { INCOMPLETE_LINK, type MailLink, type MailRequest, mailPage, showMailPage } from './mail-pages.ts';
import type { Parts } from './parts.ts';
import { recipientActs } from './recipient-acts.ts';

const ASK = mailPage('Unsubscribe', { button: 'Stop these mails' });
const DONE = mailPage('Unsubscribed', { sentence: 'You no longer receive these mails.' });

type UnsubscribeParts = Parts<'clock' | 'db' | 'desk' | 'identities'>;

const subscriptionsOf = shared((parts: UnsubscribeParts) => {
  const { db, identities } = parts;
  const targets = readTargets(db);
  const act = recipientActs(parts);
  return {
    isGenuine: ({ targetId, token }: MailLink) => isUnsubscribeToken(identities, targetId, token),

    /** Whether the recipient has unsubscribed, or the target is removed. */
    async isOver(targetId: string): Promise<boolean> {
      const target = await targets.find(targetId);
      return target === undefined || target.pausedReason === 'recipient';
    },

    end: (targetId: string, requestId: string | undefined) => act(targetId, unsubscribe, requestId),
  };
});

/**
 * Pages without a session on which the recipient of mails unsubscribes, with the button or with one click in a mail program (RFC
 * 8058). Opening the page has no effect, because mail scanners open links.
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
