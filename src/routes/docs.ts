import { complete } from '../http/context.ts';
import { openRoute } from '../http/route/index.ts';
import { fixedRoute } from './fixed-route.ts';
import { landing } from './landing.ts';

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
<style>
body { margin: 0; background: #fff }
nav { max-width: 1460px; margin: 1rem auto 0; padding: 0 20px; font-family: sans-serif }
/* The viewer has no dark theme: its colors are inverted, and their hues restored. */
@media (prefers-color-scheme: dark) { html { background: #fff; filter: invert(0.9) hue-rotate(180deg) } }
</style>
</head>
<body>
<nav aria-label="Documentation">
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

const page = (path: string, type: string, text: () => string | Promise<string>) =>
  fixedRoute(path, type, SECURITY_POLICY, text);

const icon = openRoute({
  at: 'GET /favicon.ico',
  limit: 'public',
  handle: ({ set }) => complete(set, 204, null),
});

/** The API reference and the landing page. All their files are in the executable, so browsers contact no other host. */
export const docs = [
  landing,
  icon,
  page('/docs', 'text/html', () => PAGE),
  page('/docs/start.js', 'text/javascript', () => START),
  page('/docs/viewer.js', 'text/javascript', async () => (await viewer()).script),
  page('/docs/viewer.css', 'text/css', async () => (await viewer()).style),
];
