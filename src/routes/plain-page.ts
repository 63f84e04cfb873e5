import { hash } from 'node:crypto';
import { accentStyle } from '../domain/brand/accent.ts';
import { type Brand, OWN_BRAND, OWN_NAME } from '../domain/brand/brand.ts';
import { escaped } from '../lib/markup.ts';
import base from '../pages/style/base.css' with { type: 'text' };
import tokens from '../pages/style/tokens.css' with { type: 'text' };

/** A public page in a single response: inline style, no script, no other files. */
export interface PlainPage {
  readonly title: string;
  /** The HTML of the main element. */
  readonly content: string;
}

/** Renders the logo and name of the operator, if configured. */
function brandOf({ name, logo }: Brand): string {
  if (name === OWN_NAME && logo === undefined) return '';
  const picture =
    logo && `<img src="data:${logo.type};base64,${Buffer.from(logo.content).toString('base64')}" alt="">`;
  return `<header class="brand">${picture ?? ''}${escaped(name)}</header>\n`;
}

/**
 * Returns the renderer and the content security policy of pages with a common style.
 *
 * @param ownStyle CSS in addition to that of all pages
 * @param formsTo source list of the directive form-action
 */
export function plainPages(ownStyle: string, formsTo = "'none'", brand: Brand = OWN_BRAND) {
  const { accent, logo } = brand;
  const style = tokens + (accent ? accentStyle(accent) : '') + base + ownStyle;
  const imageSources = logo ? 'img-src data:; ' : '';
  const head = brandOf(brand);
  return {
    policy:
      `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; ${imageSources}` +
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
