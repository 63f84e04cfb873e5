import type { RefusalCode } from '../../domain/refusal.ts';
import type { ApiDescription } from '../../http/contract/openapi.ts';
import { SETTINGS } from '../../settings/settings.ts';

/** Where the admin API stands on its listener. */
export const ADMIN_BASE = '/admin/v1';

/** Tags of its contract, in reading order. */
export const TAGS = {
  licenses: 'Licenses',
  feed: 'Threat feed',
  alerts: 'Alerts',
  watching: 'Watching',
  payments: 'Payments',
} as const;

const TAG_MEANINGS: Readonly<Record<(typeof TAGS)[keyof typeof TAGS], string>> = {
  [TAGS.licenses]: 'Issue, find, explain and change licenses.',
  [TAGS.feed]: 'What the threat feed publishes, and what is kept out of it.',
  [TAGS.alerts]: 'Open alerts of all sites, and who sees to them.',
  [TAGS.watching]: 'The state of this service, its audit log, and this document.',
  [TAGS.payments]: 'Payments that could not be settled.',
};

const BEARER = 'adminToken';
export const SECURITY = [{ [BEARER]: [] }];

/** Codes of every operation. */
export const TOKEN_CODES: readonly RefusalCode[] = [
  'ADDRESS_NOT_ALLOWED',
  'UNAUTHORIZED',
  'SCOPE_REQUIRED',
  'RATE_LIMITED',
];

/** Codes of every operation that changes something. */
export const ACT_CODES: readonly RefusalCode[] = [
  'ACT_REFUSED',
  'IDEMPOTENCY_KEY_REUSED',
  'STORE_UNAVAILABLE',
];

const TEXT = `What an operator of Redoubt does, for shops and other programs.

**To begin**, create a token (\`redoubt token create shop --scope licenses:write --scope licenses:read\`) and send it as
\`Authorization: Bearer <token>\`. Each operation names the scope that it needs; this document needs a token of any scope. A token works
for ${SETTINGS.adminRatePerMinute.fallback} requests a minute (a setting). Of wrong ones, 30 a minute from an address are answered with 401, the rest with 429.

**Where.** The admin API has a listener of its own (\`SERVICE_ADMIN_HOST\`, \`SERVICE_ADMIN_PORT\`), which the log tells as \`admin_url\`. It lets
nobody in but \`SERVICE_ADMIN_ALLOW\`, and speaks plain HTTP on loopback alone.

**Sent again.** Every POST that changes something takes \`Idempotency-Key\`, 1 to 255 printable ASCII characters. For 24 hours, the same key of the same token at the same
path does nothing again: the answer has \`replayed: true\`, the license as it is now, and no key, which is shown only once. The same key with another body
is refused with \`IDEMPOTENCY_KEY_REUSED\`. A refused request may be sent again with the same key. An act that finds everything so already is done, and says so in
\`notices\`; one that is to take back what is not there is refused.

**Answers** are \`{"success": true, "data": ...}\`, refusals \`{"success": false, "error": {"code", "message"}}\`: the code is for programs, the
message for people. Bodies are JSON in UTF-8, plain or with \`Content-Encoding: gzip\`; no text of them holds U+0000 or half of a surrogate pair. A success is on disk when it is sent, holds from the next request of any plugin on, and leaves an entry in the audit log
with the token's name.`;

/** The admin API. */
export const ADMIN_API: ApiDescription = {
  title: 'Redoubt admin API',
  version: '1.0.0',
  text: TEXT,
  tags: Object.values(TAGS).map((name) => ({ name, description: TAG_MEANINGS[name] })),
  bearer: { name: BEARER, description: 'a token that `redoubt token create` has printed' },
  codes: [
    'ADDRESS_NOT_ALLOWED',
    'SCOPE_REQUIRED',
    'LICENSE_NOT_FOUND',
    'ACT_REFUSED',
    'EXTERNAL_ID_TAKEN',
    'INVALID_PAYLOAD',
    'INVALID_QUERY',
    'INVALID_HOST',
    'INVALID_PATH',
    'UNAUTHORIZED',
    'NOT_FOUND',
    'METHOD_NOT_ALLOWED',
    'REQUEST_TIMEOUT',
    'IDEMPOTENCY_KEY_REUSED',
    'PAYLOAD_TOO_LARGE',
    'UNSUPPORTED_CONTENT_ENCODING',
    'URI_TOO_LONG',
    'HEADERS_TOO_LARGE',
    'RATE_LIMITED',
    'INTERNAL',
    'STORE_UNAVAILABLE',
    'FEED_UNAVAILABLE',
  ],
};
