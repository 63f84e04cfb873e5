import { Elysia } from 'elysia';
import { complete } from '../http/context.ts';
import { answerFixed } from '../http/representations.ts';
import type { Parts } from './parts.ts';

const SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Redoubt API v1</title>
<link rel="stylesheet" href="/docs/viewer.css">
</head>
<body>
<nav aria-label="Documentation" style="max-width: 1460px; margin: 1rem auto 0; padding: 0 20px; font-family: sans-serif">
<a href="/docs/handbook">Handbook</a>
</nav>
<div id="viewer"></div>
<script src="/docs/viewer.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

const START = `SwaggerUIBundle({
  url: '/api/v1/openapi',
  dom_id: '#viewer',
  validatorUrl: null,
  deepLinking: true,
  defaultModelsExpandDepth: 0,
});
`;

const viewer = async () => (await import('./docs/viewer.ts')).VIEWER;

const page = (type: string, text: () => string | Promise<string>) =>
  answerFixed(text, {
    'content-type': `${type};charset=utf-8`,
    'cache-control': 'no-cache',
    'content-security-policy': SECURITY_POLICY,
  });

/** The API reference, and the way to it. Everything it needs is in the executable: no request leaves the host. */
export const docs = ({ limits }: Parts) =>
  new Elysia({ detail: { hide: true } })
    .derive(limits.perIp('public'))
    .get('/', ({ set }) => {
      set.headers.location = '/docs';
      return complete(set, 302, null);
    })
    .get('/favicon.ico', ({ set }) => complete(set, 204, null))
    .get(
      '/docs',
      page('text/html', () => PAGE),
    )
    .get(
      '/docs/start.js',
      page('text/javascript', () => START),
    )
    .get(
      '/docs/viewer.js',
      page('text/javascript', async () => (await viewer()).script),
    )
    .get(
      '/docs/viewer.css',
      page('text/css', async () => (await viewer()).style),
    );
