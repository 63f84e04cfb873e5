import { readFileSync } from 'node:fs';
import { dutiful } from './dutiful.ts';

// The limit of the runtime alone: bare servers with constant answers, each on its own port. Compiled like the
// service. Arguments: files of the constant bodies.

const [verified = '', identity = '', gzip = '', wholeHeaders = ''] = process.argv.slice(2);
const json = { 'content-type': 'application/json;charset=utf-8' };
const etag = '"3xWJ6Jq1n0m2m5b7nTQmX8c0sG4yY9v2kP1rL6dZ0aE"';

const whole = JSON.parse(readFileSync(wholeHeaders, 'utf8'));
const verifiedText = readFileSync(verified, 'utf8');
const identityBytes = new Uint8Array(readFileSync(identity));
const gzipBytes = new Uint8Array(readFileSync(gzip));

const bare = (fetch: (request: Request) => Response | Promise<Response>): string =>
  `http://127.0.0.1:${Bun.serve({ hostname: '127.0.0.1', port: 0, fetch }).port}/`;

const urls = {
  verify: bare(async (request) => {
    await request.json();
    return new Response(verifiedText, { headers: json });
  }),
  verifyByHand: dutiful(200, whole.verified, async (request) => {
    await request.json();
    return verifiedText;
  }),
  notModified: bare(() => new Response(null, { status: 304, headers: { etag } })),
  notModifiedByHand: dutiful(304, whole.notModified, (request) =>
    request.headers.get('if-none-match') === null ? '' : null,
  ),
  identity: bare(() => new Response(identityBytes, { headers: { ...json, etag } })),
  gzip: bare(() => new Response(gzipBytes, { headers: { ...json, etag, 'content-encoding': 'gzip' } })),
};
console.log(JSON.stringify(urls));
