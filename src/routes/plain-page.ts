import { hash } from 'node:crypto';
import { escaped } from '../lib/markup.ts';
import base from '../pages/style/base.css' with { type: 'text' };
import tokens from '../pages/style/tokens.css' with { type: 'text' };

/** A page for everyone: all of it in one answer, so that it asks for nothing else, and no script. */
export interface PlainPage {
  readonly title: string;
  /** HTML. */
  readonly content: string;
}

/**
 * Pages of one style.
 *
 * @param ownStyle in addition to that of all pages
 * @param formsTo where their forms may go
 */
export function plainPages(ownStyle: string, formsTo = "'none'") {
  const style = tokens + base + ownStyle;
  return {
    policy:
      `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; ` +
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
<main>
${content}
</main>
</body>
</html>
`,
  };
}
