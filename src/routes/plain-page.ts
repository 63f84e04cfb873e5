import { hash } from 'node:crypto';
import { accentStyle } from '../domain/brand/accent.ts';
import { type Brand, OWN_BRAND, OWN_NAME } from '../domain/brand/brand.ts';
import { escaped } from '../lib/markup.ts';
import base from '../pages/style/base.css' with { type: 'text' };
import tokens from '../pages/style/tokens.css' with { type: 'text' };

/** A page for everyone: all of it in one answer, so that it asks for nothing else, and no script. */
export interface PlainPage {
  readonly title: string;
  /** HTML. */
  readonly content: string;
}

/** Above a page's content: the operator's picture and name, if they are not this program's. */
function brandOf({ name, logo }: Brand): string {
  if (name === OWN_NAME && logo === undefined) return '';
  const picture =
    logo && `<img src="data:${logo.type};base64,${Buffer.from(logo.content).toString('base64')}" alt="">`;
  return `<header class="brand">${picture ?? ''}${escaped(name)}</header>\n`;
}

/**
 * Pages of one style.
 *
 * @param ownStyle in addition to that of all pages
 * @param formsTo where their forms may go
 */
export function plainPages(ownStyle: string, formsTo = "'none'", brand: Brand = OWN_BRAND) {
  const { accent, logo } = brand;
  const style = tokens + (accent ? accentStyle(accent) : '') + base + ownStyle;
  const pictures = logo ? 'img-src data:; ' : '';
  const head = brandOf(brand);
  return {
    policy:
      `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; ${pictures}` +
      `base-uri 'none'; form-action ${formsTo}; frame-ancestors 'none'`,
    html: ({ title, content }: PlainPage): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
${head}<main>
${content}
</main>
</body>
</html>
`,
  };
}
