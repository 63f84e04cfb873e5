import { REFUSALS, type RefusalCode } from '../../domain/refusal.ts';
import { SETTINGS } from '../../settings/settings.ts';
import { ADDRESSES_OF_NETWORK, type IpLimit, PER_IP } from '../limits.ts';
import { TAG_MEANINGS, TAGS } from './contract.ts';
import type { ApiDescription } from './openapi.ts';

/** What some routes take of one address in a minute, in words. */
const limitsOf = (...names: IpLimit[]): string => names.map((name) => `${name} ${PER_IP[name]}`).join(', ');

const TEXT = `License validity, telemetry, privacy-safe signals, a tenant's view of its sites, scans, analysis and a corroborated threat feed.

**To begin**, send a license key as \`Authorization: Bearer <key>\` to \`POST /auth/verify\`, which confirms it, or \`GET /me\`, which
tells what it may do.

**Limits.** ${SETTINGS.rateKeyPerMinute.fallback} requests per key and minute on every Bearer route (a setting), of which
/brain/analyze/batch takes one for each started 64 KiB of its body, all of them or none. Before authentication,
per IP address and minute: openapi, /docs and unknown paths together ${PER_IP.public}, ${limitsOf('me', 'license/verify', 'license/trial')} (and
${ADDRESSES_OF_NETWORK * PER_IP['license/trial']} of one IPv4 /24 or IPv6 /48), ${limitsOf('checkout', 'threat-feed', 'trust', 'threat-report', 'restore/assess')}.
Of wrong keys, ${PER_IP['failed-authentication']} are answered with 401 and the rest with 429; a right key is served all the same.
IPv6 callers share a bucket per /64. A used-up limit answers 429 \`RATE_LIMITED\` with \`Retry-After\` in whole seconds; waiting that long succeeds. Threat reports, decoy trips, restore
assessments, new credentials and changes of trust states each also have a volume per license and UTC day (${SETTINGS.dailyCap.fallback}, a setting), and what telemetry and kept signals store draws
from a daily budget of the license (GET /me): 429 \`DAILY_CAP_EXCEEDED\`. A connection that sends requests without waiting for
answers may be ended after some of them, so that others have their turn: send the rest again.

**Bodies** are JSON in UTF-8 whatever the Content-Type says, nested at most 32 levels; of doubled keys the last counts. A body
of which a text or a name holds U+0000 or half of a surrogate pair is malformed, but for the \`content\` of /brain/analyze, alone or in a batch, and the
\`credential\` of /credentials/verify, which are not kept; a query with U+0000, or in no UTF-8, is as wrong as an unknown one. An empty
array stands for an empty object, as PHP writes it, where a body, \`stats\` or \`metadata\` is one.
White space, a byte order mark and zero-width characters around a key, token or secret do not count, in headers and bodies.
A body may have \`Content-Encoding: gzip\`, at most 100 times as long once it is inflated; any other encoding is 415
\`UNSUPPORTED_CONTENT_ENCODING\`. Each operation that takes one says how long it may be, in bytes, inflated; lengths of texts are in characters (Unicode code points). A URL is at
most 8 KiB.

**Privacy.** Signals and reports carry counts, ratios, flags, bands and opaque hashes only. Before anything else looks at such a
body, keys and values at any depth are searched for personal data, secrets and content: plain, percent- or base64-encoded. A
refusal names the place and the rule, never the value; nothing of a refused body is stored or logged. A field that was not
measured is left out.

**Headers.** Answers that may be kept have an ETag; all others are \`Cache-Control: no-store\`. All are
\`X-Content-Type-Options: nosniff\`, and \`Strict-Transport-Security\` where the service itself speaks TLS.

**Unknown paths** answer 404 \`NOT_FOUND\`, other methods 405 \`METHOD_NOT_ALLOWED\` with \`Allow\`. A missing, doubled or malformed
Host header is 400 \`INVALID_HOST\` (GET /status, /healthz and /readyz need none in HTTP/1.0), a path with \`\\\` or dots that stands for another one 400 \`INVALID_PATH\`, headers of over
32 KiB are 431 \`HEADERS_TOO_LARGE\`: each in the envelope. Only what is no request at all, or has a head of over 128 KiB, gets a bare
400 or 431 from the runtime, which knows nothing of this contract. HEAD is answered as GET without the body. **A success is on disk** when it is sent.`;

/** The Public Security Service API v1. */
export const PUBLIC_API: ApiDescription = {
  title: 'Public Security Service API',
  version: '1.1.0',
  text: TEXT,
  tags: Object.values(TAGS).map((name) => ({ name, description: TAG_MEANINGS[name] })),
  bearer: { name: 'bearerKey', description: 'a license key' },
  codes: Object.keys(REFUSALS) as RefusalCode[],
};
