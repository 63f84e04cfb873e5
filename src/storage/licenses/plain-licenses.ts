/** In plain SQL: most licenses. They are paid for, and nothing but their end decides their state. */
export const PLAIN_LICENSE =
  "kind = 'paid' and granted is null and holds = '[]' and payment_holds = '[]' and payment_hold_from is null and revoked_at is null and pending_until is null";
