import type { RefusalCode } from '../../domain/refusal.ts';
import type { ApiDescription } from '../../http/contract/openapi.ts';
import { SETTINGS } from '../../settings/settings.ts';

/** The path prefix of the admin API on its listener. */
export const ADMIN_BASE = '/admin/v1';

/** Tags of the contract, in its order. */
export const TAGS = {
  licenses: 'Licenses',
  feed: 'Threat feed',
  alerts: 'Alerts',
  watching: 'Monitoring',
  payments: 'Payments',
  notifications: 'Notifications',
} as const;

const TAG_MEANINGS: Readonly<Record<(typeof TAGS)[keyof typeof TAGS], string>> = {
  [TAGS.licenses]: 'Issue, find, explain and change licenses.',
  [TAGS.feed]: 'Published entries of the threat feed, and excluded threats.',
  [TAGS.alerts]: 'Open alerts of all sites, and their acknowledgement.',
  [TAGS.watching]: 'Service status, audit log, and this document.',
  [TAGS.payments]: 'Payment events that could not be processed.',
  [TAGS.notifications]: 'Where events are sent, and how deliveries go.',
};

const BEARER = 'adminToken';
export const SECURITY = [{ [BEARER]: [] }];

/** Codes that every operation can return. */
export const TOKEN_CODES: readonly RefusalCode[] = [
  'ADDRESS_NOT_ALLOWED',
  'UNAUTHORIZED',
  'SCOPE_REQUIRED',
  'RATE_LIMITED',
];

/** Codes that every operation with a change can return. */
export const ACT_CODES: readonly RefusalCode[] = [
  'ACT_REFUSED',
  'IDEMPOTENCY_KEY_REUSED',
  'STORE_UNAVAILABLE',
];

const TEXT = `Operator functions of Redoubt for shops and other programs.

**To begin**, create a token (\`redoubt token create shop --scope licenses:write --scope licenses:read\`) and send it as
\`Authorization: Bearer <token>\`. Each operation names the scope it requires; this document requires a token of any scope. Each token is limited to
${SETTINGS.adminRatePerMinute.fallback} requests per minute (configurable). Invalid tokens get 401 for the first 30 requests per minute and IP address, and 429 afterwards.

**Address.** The admin API has its own listener (\`SERVICE_ADMIN_HOST\`, \`SERVICE_ADMIN_PORT\`); its URL is logged as \`admin_url\`. It accepts
only clients in \`SERVICE_ADMIN_ALLOW\`, and plain HTTP only on loopback.

**Idempotency.** Every POST that changes data accepts \`Idempotency-Key\`, 1 to 255 printable ASCII characters. For 24 hours, repeating the same key with the same token and
path changes nothing: the response has \`replayed: true\`, the current license, and no license key, because keys are shown only once. The same key with a different body
is refused with \`IDEMPOTENCY_KEY_REUSED\`. Refused requests can be repeated with the same key. A request that finds the wanted state succeeds and reports this in
\`notices\`; a request to undo something that does not exist is refused.

**Responses** are \`{"success": true, "data": ...}\`, refusals \`{"success": false, "error": {"code", "message"}}\`: codes are for programs,
messages for people. Bodies are JSON in UTF-8, plain or with \`Content-Encoding: gzip\`; strings must not contain U+0000 or lone surrogates. Success responses are sent once the change is on disk. It applies from the next request of any plugin and is recorded in the audit log
with the name of the token.`;

/** Description of the admin API for its OpenAPI document. */
export const ADMIN_API: ApiDescription = {
  title: 'Redoubt admin API',
  version: '1.0.0',
  text: TEXT,
  tags: Object.values(TAGS).map((name) => ({ name, description: TAG_MEANINGS[name] })),
  bearer: { name: BEARER, description: 'Token created with `redoubt token create`' },
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
