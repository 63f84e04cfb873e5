import { complete, type HookContext } from '../http/context.ts';
import { plainPages } from './plain-page.ts';
import style from './trust/style.css' with { type: 'text' };

const PAGES = plainPages(style, "'self'");

/** As a link in a mail has it. */
export interface MailLink {
  readonly targetId: string;
  readonly token: string;
}

/** A request of the recipient of a mail, who has no session. */
export type MailRequest = Pick<HookContext, 'set'> & { readonly params: MailLink };

/** A page with a heading and one sentence, or one button. */
export const mailPage = (title: string, words: { readonly sentence?: string; readonly button?: string }) =>
  PAGES.html({
    title,
    content: [
      `<h1>${title}</h1>`,
      ...(words.sentence === undefined ? [] : [`<p>${words.sentence}</p>`]),
      ...(words.button === undefined
        ? []
        : [`<form method="post"><button type="submit">${words.button}</button></form>`]),
    ].join('\n'),
  });

export const INCOMPLETE_LINK = mailPage('This link is incomplete', {
  sentence: 'Copy the whole link from the mail.',
});

/** Answers with a page of {@link mailPage}. */
export function showMailPage(set: HookContext['set'], body: string, status = 200): Response {
  Object.assign(set.headers, {
    'content-type': 'text/html;charset=utf-8',
    'content-security-policy': PAGES.policy,
    // The address has the token.
    'referrer-policy': 'no-referrer',
  });
  return complete(set, status, body);
}
