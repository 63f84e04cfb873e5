import { basename } from 'node:path';
import { answerFixed } from '../http/representations.ts';
import { openRoute } from '../http/route/index.ts';
import base from '../pages/style/base.css' with { type: 'text' };
import tokens from '../pages/style/tokens.css' with { type: 'text' };
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

const fixed = (
  path: string,
  type: string,
  text: () => string | Promise<string>,
  headers: Readonly<Record<string, string>> = {},
) =>
  openRoute({
    at: `GET ${path}`,
    limit: 'public',
    handle: answerFixed(text, {
      'content-type': `${type};charset=utf-8`,
      'cache-control': 'no-cache',
      'content-security-policy': SECURITY_POLICY,
      ...headers,
    }),
  });

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
  fixed(STYLE_ADDRESS, 'text/css', () => tokens + base + style),
  fixed(SEARCH_ADDRESSES.page, 'text/html', async () => (await search()).searchPage(), {
    'content-security-policy': SEARCH_POLICY,
  }),
  fixed(SEARCH_ADDRESSES.script, 'text/javascript', () => searchScript),
  fixed(SEARCH_ADDRESSES.index, 'application/json', async () => (await search()).searchIndex()),
  ...PAGE_NAMES.map((name) => fixed(addressOf(name), 'text/html', () => rendered(name))),
  ...DOWNLOAD_PATHS.map((path) =>
    fixed(downloadAddress(path), 'text/plain', () => download(path), {
      'content-disposition': `attachment; filename="${basename(path)}"`,
    }),
  ),
];
