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
/** The page that searches is the only one with a script, which reads the index from here. */
const SEARCH_POLICY = `${SECURITY_POLICY}; script-src 'self'; connect-src 'self'`;

/** Loaded with the first page, so that a start does not wait for it. */
async function rendered(name: PageName): Promise<string> {
  const { PAGES } = await import('./handbook/pages.ts');
  return (await import('./handbook/render.ts')).renderPage(name, PAGES.get(name) ?? '');
}

const search = () => import('./handbook/search.ts');

const download = async (path: string): Promise<string> =>
  (await import('./handbook/downloads.ts')).DOWNLOADS.get(path) ?? '';

/** The handbook: `docs/*.md` beside the reference, each page rendered when it is first asked for, and what pages offer. */
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
