/** What a token of the admin API may do; see docs/admin-api.md. */
export const SCOPES = [
  'licenses:read',
  'licenses:write',
  'feed:read',
  'feed:write',
  'alerts:write',
  'audit:read',
  'status:read',
  'payments:read',
  'payments:write',
  'notifications:read',
  'notifications:write',
] as const;

export type Scope = (typeof SCOPES)[number];
