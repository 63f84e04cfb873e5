import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DOWNLOADS } from '../../src/routes/handbook/downloads.ts';
import { PAGES } from '../../src/routes/handbook/pages.ts';
import { anchorOf, renderText, sectionsOf, titleOf } from '../../src/routes/handbook/render.ts';
import served from '../../src/routes/handbook/style.css' with { type: 'text' };

// The pages that a server shows, one after another in one file that needs nothing besides: styles and downloads are in it.

/** It runs no script and asks nobody for anything. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'";

/** The whole handbook as one HTML file. */
export function handbookFile(version: string): string {
  const own = readFileSync(join(import.meta.dirname, 'handbook.css'), 'utf8');
  const pages = [...PAGES];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="content-security-policy" content="${POLICY}">
<title>Redoubt ${version} handbook</title>
<style>
${served}${own}</style>
</head>
<body>
<a class="skip" href="#page">Skip to the page</a>
<nav aria-label="Handbook">
<ul>
${pages.map(([name, markdown]) => entry(name, markdown)).join('\n')}
</ul>
</nav>
<main id="page">
<p>Redoubt ${version}</p>
${pages.map(([name, markdown]) => section(name, markdown)).join('\n')}
</main>
</body>
</html>
`;
}

function entry(name: string, markdown: string): string {
  const link = (anchor: string, label: string) => `<li><a href="#${idOf(name, anchor)}">${label}</a></li>`;
  const headings = sectionsOf(markdown);
  if (headings.length === 0) return link('', titleOf(markdown));
  const within = headings.map((heading) => link(anchorOf(heading), heading));
  return `<li><details><summary>${titleOf(markdown)}</summary>
<ul>${link('', 'Beginning of the page')}${within.join('')}</ul></details></li>`;
}

const section = (name: string, markdown: string): string =>
  `<section id="${idOf(name, '')}">
${renderText(markdown, { idOf: (anchor) => idOf(name, anchor), linkTo: (href) => linkTo(name, href) })}</section>`;

/** Anchors are those of their page: two pages may have the same. */
const idOf = (page: string, anchor: string): string => (anchor === '' ? page : `${page}.${anchor}`);

/** A link of a page; undefined for one to a file of the source. */
function linkTo(page: string, href: string): string | undefined {
  if (href.startsWith('https:')) return `href="${href}"`;
  const download = DOWNLOADS.get(href);
  if (download !== undefined) {
    const data = Buffer.from(download).toString('base64');
    return `href="data:text/plain;charset=utf-8;base64,${data}" download="${basename(href)}"`;
  }
  const [, name = page, anchor = ''] = /^(?:([a-zA-Z-]+)\.md)?(?:#(.+))?$/.exec(href) ?? [undefined, ''];
  return PAGES.has(name) ? `href="#${idOf(name, anchor)}"` : undefined;
}
