import { beforeAll, describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { closePages, isChromiumThere, launched } from '../support/chromium.ts';
import { call } from '../support/client.ts';
import { type RunningService, sharedService, TARGETS } from '../support/service.ts';

const DOCS = join(import.meta.dir, '../../docs');
const names = readdirSync(DOCS).flatMap((file) => (file.endsWith('.md') ? [file.slice(0, -3)] : []));
const downloads = ['clients', 'integrations', 'scaling'].flatMap((folder) =>
  [...new Bun.Glob('**/*').scanSync(join(DOCS, folder))]
    // A role is copied as a whole, from the source.
    .filter((file) => !file.startsWith('ansible/'))
    .map((file) => `${folder}/${file}`),
);
const addressOf = (name: string) => `/docs/handbook${name === 'README' ? '' : `/${name}`}`;
const matches = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, found]) => found ?? '');

describe.each([...TARGETS])('the handbook, from %s', (target) => {
  let service: RunningService;
  beforeAll(async () => {
    service = await sharedService(target);
  });

  test.each(names)('the page of %s runs no script and loads nothing but its style', async (name) => {
    const page = await call(service.url, addressOf(name));
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html;charset=utf-8');
    expect(page.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(page.text).not.toMatch(/<(?:script|style|img|iframe|base|form)\b|\s(?:src|style|on\w+)=/);
    expect(matches(page.text, /<link [^>]*href="([^"]+)"/g)).toEqual(['/docs/handbook.css']);
    expect(page.text).toContain('<html lang="en">');
    expect(matches(page.text, /<(h1)\b/g)).toEqual(['h1']);
    const heading = /^# (.+)/.exec(readFileSync(join(DOCS, `${name}.md`), 'utf8'))?.[1] ?? 'no heading';
    expect(page.text).toContain(`>${heading}</h1>`);
    const ids = matches(page.text, / id="([^"]+)"/g);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test.each(downloads)('%s is downloaded as plain text, byte for byte', async (path) => {
    const { status, headers } = await call(service.url, addressOf(path));
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain;charset=utf-8']);
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${basename(path)}"`);
    expect(headers.get('content-security-policy')).toStartWith("default-src 'none';");
    const file = await fetch(service.url + addressOf(path));
    expect(Buffer.from(await file.arrayBuffer())).toEqual(readFileSync(join(DOCS, path)));
    const known = await call(service.url, addressOf(path), {
      headers: { 'if-none-match': headers.get('etag') ?? '' },
    });
    expect(known.status).toBe(304);
  });

  test('links from the bare address lead to every page and file, and no link is broken', async () => {
    const pages = new Map<string, string>();
    const waiting = ['/docs'];
    const links: { from: string; to: URL }[] = [];
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      const { status, text } = await call(service.url, path);
      expect([path, status]).toEqual([path, 200]);
      pages.set(path, text);
      for (const href of matches(text, /<a [^>]*href="([^"]+)"/g)) {
        const to = new URL(href, service.url + path);
        links.push({ from: path, to });
        if (!pages.has(to.pathname) && !waiting.includes(to.pathname)) waiting.push(to.pathname);
      }
    }
    for (const { from, to } of links) {
      expect([from, to.host]).toEqual([from, new URL(service.url).host]);
      if (to.hash !== '') {
        const found = pages.get(to.pathname)?.includes(` id="${to.hash.slice(1)}"`);
        expect([from, to.hash, found]).toEqual([from, to.hash, true]);
      }
    }
    expect([...pages.keys()].sort()).toEqual(
      ['/docs', ...[...names, 'search', ...downloads].map(addressOf)].sort(),
    );
  });

  test('the search lists every heading, and its index has every section in under 100 KB', async () => {
    const page = await call(service.url, addressOf('search'));
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'; connect-src 'self'");
    const index = await call(service.url, '/docs/handbook-search.json');
    expect(index.text.length).toBeLessThan(100_000);
    const { sections } = index.json as { sections: [address: string, page: string, heading: string][] };
    for (const [address] of sections) expect(page.text).toContain(`<a href="${address}">`);
    const headings = names.flatMap((name) =>
      matches(
        readFileSync(join(DOCS, `${name}.md`), 'utf8').replaceAll(/^```.*?^```/gms, ''),
        /^#{1,3} (.+)$/gm,
      ),
    );
    expect(sections).toHaveLength(headings.length);
  });

  test.skipIf(!isChromiumThere)(
    'the search finds sections that have all words, by their beginnings',
    async () => {
      const browser = await launched();
      const page = await browser.newPage();
      const search = async (text: string) => {
        await page.goto(`${service.url}${addressOf('search')}?q=${encodeURIComponent(text)}`);
        await page.locator('#found:not(:empty)').waitFor();
        return page.locator('#found').textContent();
      };
      expect(await search('watchdogs')).toBe('Troubleshooting: Findings of doctor');
      expect(await search('IDENTITY prov')).toContain('Sign in with an identity provider: Roles');
      expect(await search('watchdogsec xyzzy')).toBe('No section has all these words.');
      await closePages();
    },
  );

  test('there is a page for nothing else, and it can only be read', async () => {
    for (const path of [
      'nope',
      'README',
      'operating.md',
      'operating/',
      '..%2Fdocs',
      'clients/',
      'redoubt-client.ts',
    ]) {
      const reply = await call(service.url, `/docs/handbook/${path}`);
      expect([path, reply.status, reply.json.error.code]).toEqual([path, 404, 'NOT_FOUND']);
    }
    const posted = await call(service.url, '/docs/handbook/operating', { method: 'POST', body: {} });
    expect([posted.status, posted.json.error.code]).toEqual([405, 'METHOD_NOT_ALLOWED']);
    expect(posted.headers.get('allow')).toBe('GET, HEAD');
  });
});
