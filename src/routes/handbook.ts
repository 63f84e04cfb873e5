import { basename } from 'node:path';
import { Elysia } from 'elysia';
import { answerFixed } from '../http/representations.ts';
import base from '../pages/style/base.css' with { type: 'text' };
import tokens from '../pages/style/tokens.css' with { type: 'text' };
import {
  addressOf,
  DOWNLOAD_PATHS,
  downloadAddress,
  PAGE_NAMES,
  type PageName,
  STYLE_ADDRESS,
} from './handbook/addresses.ts';
import style from './handbook/style.css' with { type: 'text' };
import type { Parts } from './parts.ts';

const SECURITY_POLICY =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const fixed = (
  type: string,
  text: () => string | Promise<string>,
  headers: Readonly<Record<string, string>> = {},
) =>
  answerFixed(text, {
    ...headers,
    'content-type': `${type};charset=utf-8`,
    'cache-control': 'no-cache',
    'content-security-policy': SECURITY_POLICY,
  });

/** Loaded with the first page, so that a start does not wait for it. */
async function rendered(name: PageName): Promise<string> {
  const { PAGES } = await import('./handbook/pages.ts');
  return (await import('./handbook/render.ts')).renderPage(name, PAGES.get(name) ?? '');
}

const download = async (path: string): Promise<string> =>
  (await import('./handbook/downloads.ts')).DOWNLOADS.get(path) ?? '';

/** The handbook: `docs/*.md` beside the reference, each page rendered when it is first asked for, and what pages offer. */
export function handbook({ limits }: Parts) {
  const routes = new Elysia({ detail: { hide: true } }).derive(limits.perIp('public')).get(
    STYLE_ADDRESS,
    fixed('text/css', () => tokens + base + style),
  );
  for (const name of PAGE_NAMES) {
    routes.get(
      addressOf(name),
      fixed('text/html', () => rendered(name)),
    );
  }
  for (const path of DOWNLOAD_PATHS) {
    const disposition = `attachment; filename="${basename(path)}"`;
    routes.get(
      downloadAddress(path),
      fixed('text/plain', () => download(path), { 'content-disposition': disposition }),
    );
  }
  return routes;
}
