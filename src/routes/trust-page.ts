import { complete, GUARDING_HEADERS } from '../http/context.ts';
import { answerFrom, represent } from '../http/representations.ts';
import { created, openRoute } from '../http/route/index.ts';
import { madeOnce } from '../lib/made-once.ts';
import type { PublicTrust } from '../tasks/trust.ts';
import type { Parts } from './parts.ts';
import { trustPages as pagesOf } from './trust/page.ts';

/** The page to which a badge links; not in the contract. */
export const trustPages = openRoute({
  at: 'GET /trust/:trustId',
  limit: 'trust',
  handle: created(({ brand, trustDesk, publicUrl }: Parts<'brand' | 'publicUrl' | 'trustDesk'>) => {
    const pages = pagesOf(brand);
    const headers = {
      'content-type': 'text/html;charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': pages.policy,
      'referrer-policy': 'no-referrer',
    };
    const notFoundHeaders = new Headers({ ...headers, ...GUARDING_HEADERS });
    const page = madeOnce((site: PublicTrust) => represent(pages.ofSite(site, publicUrl()), headers));
    return async ({ request, set, params: { trustId } }) => {
      const site = await trustDesk.published(trustId);
      if (site === undefined) return complete(set, 404, pages.notFound, notFoundHeaders);
      return answerFrom({ request, set }, await page(site));
    };
  }),
});
