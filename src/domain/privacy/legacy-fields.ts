/**
 * A copy of a decoy trip or threat report without the fields that old clients still send and that the contract discards. Only
 * these two spellings, and only at the top: the contract names no others, so `user_agent`, `ip_address` and nested fields reach
 * the gate and are refused.
 */
export function stripLegacyCallerFields(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const { ip: _ip, userAgent: _userAgent, ...rest } = body as Record<string, unknown>;
  return rest;
}
