import { Marked, Renderer, type Tokens } from 'marked';
import { addressOf, downloadAddress, SEARCH_ADDRESSES, STYLE_ADDRESS } from './addresses.ts';
import { DOWNLOADS } from './downloads.ts';
import { PAGES } from './pages.ts';

/** Returns the anchor of a heading, like GitHub's. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

/** Returns the first heading of a page. */
export const titleOf = (markdown: string): string => /^# (.+)/.exec(markdown)?.[1] ?? '';

/** Returns the URL of a link; undefined for files of the source, which an installation does not have. */
function addressIn(href: string): string | undefined {
  if (/^(?:#|https:)/.test(href)) return href;
  if (DOWNLOADS.has(href)) return downloadAddress(href);
  const [, name = '', anchor = ''] = /^([a-zA-Z-]+)\.md(#.+)?$/.exec(href) ?? [];
  return PAGES.has(name) ? addressOf(name) + anchor : undefined;
}

/** Resolves the anchors and links of a page. */
export interface Places {
  /** Returns the element id for an anchor of this page. */
  readonly idOf: (anchor: string) => string;
  /** Returns the attributes of a link; undefined if its target does not exist. */
  readonly linkTo: (href: string) => string | undefined;
}

class PageRenderer extends Renderer {
  readonly places: Places;

  constructor(places: Places) {
    super();
    this.places = places;
  }

  override heading({ depth, text, tokens }: Tokens.Heading): string {
    return `<h${depth} id="${this.places.idOf(anchorOf(text))}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
  }

  override link({ href, tokens }: Tokens.Link): string {
    const label = this.parser.parseInline(tokens);
    const attributes = this.places.linkTo(href);
    return attributes === undefined ? label : `<a ${attributes}>${label}</a>`;
  }

  /** Wide tables scroll separately from the page, also by keyboard. */
  override table(token: Tokens.Table): string {
    return `<div class="wide" tabindex="0">${super.table(token)}</div>\n`;
  }

  /** Renders header cells without text as data cells. */
  override tablecell(token: Tokens.TableCell): string {
    return super.tablecell(token.text === '' ? { ...token, header: false } : token);
  }

  override code(token: Tokens.Code): string {
    return super.code(token).replace('<pre>', '<pre tabindex="0">');
  }
}

/** The Markdown parser of all pages. */
export const marked = new Marked();

const SERVED: Places = {
  idOf: (anchor) => anchor,
  linkTo(href) {
    const address = addressIn(href);
    return address && `href="${address}"`;
  },
};

/** Renders the content of a page, without the frame. */
export const renderText = (markdown: string, places: Places): string =>
  marked.parser(marked.lexer(markdown), { renderer: new PageRenderer(places) });

/** Returns the level 2 headings of a page. */
export const sectionsOf = (markdown: string): string[] =>
  marked
    .lexer(markdown)
    .filter((token): token is Tokens.Heading => token.type === 'heading' && token.depth === 2)
    .map(({ text }) => text);

const link = (address: string, label: string, current = false) =>
  `<a href="${address}"${current ? ' aria-current="page"' : ''}>${label}</a>`;

interface Framed {
  readonly name: string;
  readonly title: string;
  readonly content: string;
  /** Headings listed below the current page. */
  readonly sections?: readonly string[];
  /** URL of the page's script. */
  readonly script?: string;
}

/** Renders the frame of a page, with the list of all pages. */
export function frame({ name, title, content, sections = [], script }: Framed): string {
  const own = sections.map((text) => `<li>${link(`#${anchorOf(text)}`, text)}</li>`);
  const entries = [...PAGES].map(([other, text]) => {
    const within = other === name && own.length > 0 ? `\n<ul>${own.join('')}</ul>` : '';
    return `<li>${link(addressOf(other), titleOf(text), other === name)}${within}</li>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="${STYLE_ADDRESS}">${script === undefined ? '' : `\n<script type="module" src="${script}"></script>`}
</head>
<body>
<a class="skip" href="#page">Skip to the page</a>
<nav aria-label="Handbook">
<ul>
<li>${link(SEARCH_ADDRESSES.page, 'Search', name === 'search')}</li>
${entries.join('\n')}
<li>${link('/docs', 'API reference')}</li>
</ul>
</nav>
<main id="page">
${content}</main>
</body>
</html>
`;
}

/** Renders a complete page. The Markdown is part of the executable, so it is trusted. */
export const renderPage = (name: string, markdown: string): string =>
  frame({
    name,
    title: name === 'README' ? 'Redoubt handbook' : `${titleOf(markdown)} - Redoubt handbook`,
    content: renderText(markdown, SERVED),
    sections: sectionsOf(markdown),
  });
