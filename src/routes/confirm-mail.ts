import { requestIdOf } from '../http/context.ts';
import { openRoute, shared } from '../http/route/index.ts';
import { confirmMail, isConfirmable, isConfirmToken } from '../operator/notifications/confirm-mail.ts';
import { readTargets, type TargetRecord } from '../storage/notifications/targets.ts';
import { INCOMPLETE_LINK, type MailLink, type MailRequest, mailPage, showMailPage } from './mail-pages.ts';
import type { Parts } from './parts.ts';
import { recipientActs } from './recipient-acts.ts';

const ASK = mailPage('Confirm notifications', {
  sentence:
    'Security notifications are sent to this address after you confirm. Each mail has a link to unsubscribe.',
  button: 'Send me these mails',
});
const DONE = mailPage('Confirmed', { sentence: 'Security notifications are sent to you from now on.' });
const OVER = mailPage('This link has expired', {
  sentence: 'Nothing is sent to you. The person who entered your address can send a new link.',
});

type ConfirmParts = Parts<'clock' | 'db' | 'desk' | 'identities'>;

const confirmationsOf = shared((parts: ConfirmParts) => {
  const { clock, db, identities } = parts;
  const targets = readTargets(db);
  const act = recipientActs(parts);
  return {
    isWaiting: (target: TargetRecord) => isConfirmable(target, clock.now()),

    /** Returns the target of a link; undefined if the link is forged or the target no longer exists. */
    async targetOf({ targetId, token }: MailLink): Promise<TargetRecord | undefined> {
      const target = await targets.find(targetId);
      return target && isConfirmToken(identities, target, token) ? target : undefined;
    },

    confirm: ({ publicId }: TargetRecord, requestId: string | undefined) =>
      act(publicId, confirmMail, requestId),
  };
});

/**
 * Pages without a session on which the recipient of a tenant's mails consents to them. Only the button has an effect, because
 * mail scanners open links.
 */
export const confirmMailPages = [
  openRoute({
    at: 'GET /confirm/:targetId/:token',
    limit: 'public',
    handle: confirmationsOf(async ({ targetOf, isWaiting }, { set, params }: MailRequest) => {
      const target = await targetOf(params);
      if (target === undefined) return showMailPage(set, INCOMPLETE_LINK, 404);
      if (isWaiting(target)) return showMailPage(set, ASK);
      return target.pausedReason === 'unconfirmed' ? showMailPage(set, OVER, 404) : showMailPage(set, DONE);
    }),
  }),
  openRoute({
    at: 'POST /confirm/:targetId/:token',
    limit: 'public',
    handle: confirmationsOf(async ({ targetOf, isWaiting, confirm }, { set, params }: MailRequest) => {
      const target = await targetOf(params);
      if (target === undefined) return showMailPage(set, INCOMPLETE_LINK, 404);
      if (target.pausedReason === 'unconfirmed' && !isWaiting(target)) return showMailPage(set, OVER, 404);
      await confirm(target, requestIdOf({ set }));
      return showMailPage(set, DONE);
    }),
  }),
];
