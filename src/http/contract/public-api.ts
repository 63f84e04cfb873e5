import { REFUSALS, type RefusalCode } from '../../domain/refusal.ts';
import { SETTINGS } from '../../settings/settings.ts';
import { ADDRESSES_OF_NETWORK, type IpLimit, PER_IP } from '../limits.ts';
import { TAG_MEANINGS, TAGS } from './contract.ts';
import type { ApiDescription } from './openapi.ts';

/** The limits per address and minute of these routes, as text. */
const limitsOf = (...names: IpLimit[]): string => names.map((name) => `${name} ${PER_IP[name]}`).join(', ');

const TEXT = `License checks, telemetry, privacy-safe signals, site data, scans, content analysis and a corroborated threat feed.

**To begin**, send a license key as \`Authorization: Bearer <key>\` to \`POST /auth/verify\`, which verifies it, or to \`GET /me\`, which
returns its plan, modules and limits.

**Limits.** ${SETTINGS.rateKeyPerMinute.fallback} requests per key and minute for all Bearer routes together (configurable);
/brain/analyze/batch costs one request for each started 64 KiB of its body, all or none. Limits before authentication,
per IP address and minute: openapi, /docs and unknown paths together ${PER_IP.public}, ${limitsOf('me', 'license/verify', 'license/trial')} (and
${ADDRESSES_OF_NETWORK * PER_IP['license/trial']} per IPv4 /24 or IPv6 /48), ${limitsOf('checkout', 'threat-feed', 'trust', 'threat-report', 'restore/assess')}.
Invalid keys get 401 for the first ${PER_IP['failed-authentication']} requests per minute and IP address, and 429 afterwards; valid keys are not affected.
IPv6 callers share a limit per /64. Beyond a limit, the response is 429 \`RATE_LIMITED\` with \`Retry-After\` in whole seconds; a retry after that time succeeds.
Threat reports, decoy trips, restore assessments, new credentials and changes of trust states also have daily limits per license (UTC; ${SETTINGS.dailyCap.fallback} each, configurable).
Telemetry and stored signals count against a daily budget of the license (GET /me). Both return 429 \`DAILY_CAP_EXCEEDED\`. A connection that sends requests without waiting for
responses can be closed after some of them to serve other clients; resend the rest.

**Bodies** are JSON in UTF-8 regardless of Content-Type, nested at most 32 levels; of duplicate keys, the last one counts. Strings and names
that contain U+0000 or lone surrogates are refused, except in the \`content\` of /brain/analyze and its batch and in the
\`credential\` of /credentials/verify, which are not stored. A query with U+0000 or invalid UTF-8 is refused like an unknown parameter. Where a body, \`stats\` or
\`metadata\` is an object, an empty array is read as an empty object (PHP).
White space, byte order marks and zero-width characters around keys, tokens and secrets are ignored, in headers and bodies.
\`Content-Encoding: gzip\` is supported up to a compression ratio of 100; other encodings return 415
\`UNSUPPORTED_CONTENT_ENCODING\`. Each operation states its maximum body size in bytes after decompression. Text lengths are in characters (Unicode code points). URLs are limited to
8 KiB.

**Privacy.** Signals and reports contain only counts, ratios, flags, bands and opaque hashes. Before any other processing, keys and
values at any depth are checked for personal data, secrets and content, plain, percent-encoded or base64-encoded. A
refusal names the location and the rule, never the value; nothing of a refused body is stored or logged. Omit fields that were not
measured.

**Headers.** Cacheable responses have an ETag; all others have \`Cache-Control: no-store\`. All have
\`X-Content-Type-Options: nosniff\`, and \`Strict-Transport-Security\` if the service itself terminates TLS.

**Unknown paths** return 404 \`NOT_FOUND\`, unsupported methods 405 \`METHOD_NOT_ALLOWED\` with \`Allow\`. A missing, duplicate or malformed
Host header returns 400 \`INVALID_HOST\` (optional in HTTP/1.0 for GET /status, /healthz and /readyz), a path with \`\\\` or dot segments that resolves to another path 400 \`INVALID_PATH\`, and headers
over 32 KiB 431 \`HEADERS_TOO_LARGE\`, each in the envelope. Only malformed HTTP requests and headers over 128 KiB get a bare
400 or 431 from the runtime. HEAD returns the same as GET without the body. **Success responses** are sent once the data is on disk.`;

/** The Public Security Service API v1. */
export const PUBLIC_API: ApiDescription = {
  title: 'Public Security Service API',
  version: '1.1.0',
  text: TEXT,
  tags: Object.values(TAGS).map((name) => ({ name, description: TAG_MEANINGS[name] })),
  bearer: { name: 'bearerKey', description: 'License key' },
  codes: Object.keys(REFUSALS) as RefusalCode[],
};
