import { complete, type HookContext } from '../http/context.ts';
import { plainPages } from './plain-page.ts';
import style from './trust/style.css' with { type: 'text' };

const PAGES = plainPages(style, "'self'");

/** Path parameters of a link in a mail. */
export interface MailLink {
  readonly targetId: string;
  readonly token: string;
}

/** A request by the recipient of a mail, without a session. */
export type MailRequest = Pick<HookContext, 'set'> & { readonly params: MailLink };

/** Renders a page with a heading, a sentence and a button. */
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

/** Answers with a {@link mailPage}. */
export function showMailPage(set: HookContext['set'], body: string, status = 200): Response {
  Object.assign(set.headers, {
    'content-type': 'text/html;charset=utf-8',
    'content-security-policy': PAGES.policy,
    // The URL contains the token.
    'referrer-policy': 'no-referrer',
  });
  return complete(set, status, body);
}
