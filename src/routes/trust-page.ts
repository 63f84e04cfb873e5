import { complete, GUARDING_HEADERS } from '../http/context.ts';
import { answerFrom, represent } from '../http/representations.ts';
import { created, openRoute } from '../http/route/index.ts';
import { madeOnce } from '../lib/made-once.ts';
import type { PublicTrust } from '../tasks/trust.ts';
import type { Parts } from './parts.ts';
import { PAGE_OF_NOBODY, PAGE_POLICY, trustPage } from './trust/page.ts';

const HEADERS = {
  'content-type': 'text/html;charset=utf-8',
  'cache-control': 'no-cache',
  'content-security-policy': PAGE_POLICY,
  'referrer-policy': 'no-referrer',
};
const NOBODY_HEADERS = new Headers({ ...HEADERS, ...GUARDING_HEADERS });

/** Where a badge leads to; outside the contract. */
export const trustPages = openRoute({
  at: 'GET /trust/:trustId',
  limit: 'trust',
  handle: created(({ trustDesk, publicUrl }: Parts<'publicUrl' | 'trustDesk'>) => {
    const page = madeOnce((site: PublicTrust) => represent(trustPage(site, publicUrl()), HEADERS));
    return async ({ request, set, params: { trustId } }) => {
      const site = await trustDesk.published(trustId);
      if (site === undefined) return complete(set, 404, PAGE_OF_NOBODY, NOBODY_HEADERS);
      return answerFrom({ request, set }, await page(site));
    };
  }),
});
