import { basename } from 'node:path';
import base from '../pages/style/base.css' with { type: 'text' };
import tokens from '../pages/style/tokens.css' with { type: 'text' };
import { fixedRoute } from './fixed-route.ts';
import {
  addressOf,
  DOWNLOAD_PATHS,
  downloadAddress,
  PAGE_NAMES,
  type PageName,
  SEARCH_ADDRESSES,
  STYLE_ADDRESS,
} from './handbook/addresses.ts';
import searchScript from './handbook/search-client.js' with { type: 'text' };
import style from './handbook/style.css' with { type: 'text' };

const SECURITY_POLICY =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** Of all pages, only the search page has a script. It fetches the index from this origin. */
const SEARCH_POLICY = `${SECURITY_POLICY}; script-src 'self'; connect-src 'self'`;

/** Imported on first request, so that it does not delay the start of the service. */
async function rendered(name: PageName): Promise<string> {
  const { PAGES } = await import('./handbook/pages.ts');
  return (await import('./handbook/render.ts')).renderPage(name, PAGES.get(name) ?? '');
}

const search = () => import('./handbook/search.ts');

const download = async (path: string): Promise<string> =>
  (await import('./handbook/downloads.ts')).DOWNLOADS.get(path) ?? '';

/** The pages of `docs/*.md`, each rendered on first request, with search and downloads. */
export const handbook = [
  fixedRoute(STYLE_ADDRESS, 'text/css', SECURITY_POLICY, () => tokens + base + style),
  fixedRoute(SEARCH_ADDRESSES.page, 'text/html', SEARCH_POLICY, async () => (await search()).searchPage()),
  fixedRoute(SEARCH_ADDRESSES.script, 'text/javascript', SECURITY_POLICY, () => searchScript),
  fixedRoute(SEARCH_ADDRESSES.index, 'application/json', SECURITY_POLICY, async () =>
    (await search()).searchIndex(),
  ),
  ...PAGE_NAMES.map((name) =>
    fixedRoute(addressOf(name), 'text/html', SECURITY_POLICY, () => rendered(name)),
  ),
  ...DOWNLOAD_PATHS.map((path) =>
    fixedRoute(downloadAddress(path), 'text/plain', SECURITY_POLICY, () => download(path), {
      'content-disposition': `attachment; filename="${basename(path)}"`,
    }),
  ),
];
