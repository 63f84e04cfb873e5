import { expect, test } from 'bun:test';
import type { Act } from '../../src/operator/act.ts';
import { createToken, revokeToken, TOKENS_MAX, type WantedToken } from '../../src/operator/admin-tokens.ts';
import type { AdminToken } from '../../src/storage/operators/admin-tokens.ts';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2027, 0, 1);
const ACT: Act = { actor: 'cli:alice', reason: 'told to', now: NOW };
const WANTED: WantedToken = { name: 'shop', scopes: ['licenses:write'], expiresAt: NOW + DAY_MS };
const EXISTING: AdminToken = {
  id: 1,
  name: 'shop',
  tokenLast4: 'last',
  scopes: ['feed:read'],
  createdAt: NOW - DAY_MS,
  expiresAt: NOW + 1,
  usedAt: null,
  revokedAt: null,
};

const others = (count: number) =>
  Array.from({ length: count }, (_, id) => ({ ...EXISTING, id, name: `t${id}` }));

test.each<[string, readonly AdminToken[], Partial<WantedToken>]>([
  ['a token named shop exists until 2027-01-01T00:00:00.001Z', [EXISTING], {}],
  ['a token requires a scope', [], { scopes: [] }],
  ['the expiry is in the past', [], { expiresAt: NOW }],
  ['at most 731 days', [], { expiresAt: NOW + 731 * DAY_MS + 1 }],
  ['Revoke one first', others(TOKENS_MAX), {}],
  ['the name must have 1 to 40', [], { name: 'a:b' }],
])('no token is created where "%s"', (why, all, wanted) => {
  expect(createToken(all, { ...WANTED, ...wanted }, ACT)).toEqual({
    refused: expect.stringContaining(why),
  });
});

test.each<[string, AdminToken | undefined]>([
  ['that never existed', undefined],
  ['of a revoked token', { ...EXISTING, revokedAt: 1 }],
  ['of an expired token', { ...EXISTING, expiresAt: NOW }],
])(
  'a name %s is accepted with unique, sorted scopes, and the token is not in the audit log',
  (_, existing) => {
    const scopes = ['audit:read', 'feed:read', 'audit:read'] as const;
    const expiresAt = NOW + 731 * DAY_MS;
    const all = [...others(TOKENS_MAX - 1), ...(existing ? [existing] : [])];
    const made = createToken(all, { ...WANTED, scopes, expiresAt }, ACT);
    if ('refused' in made) throw new Error(made.refused);
    const [create, audit] = made.jobs;
    const terms = { scopes: ['feed:read', 'audit:read'], expiresAt };
    expect(create?.input).toMatchObject({ ...terms, createdAt: NOW, tokenLast4: made.token.slice(-4) });
    const entry = { at: NOW, actor: ACT.actor, reason: 'told to', action: 'token.create' };
    expect(audit?.input).toEqual({ ...entry, subject: 'token:shop', after: terms });
    expect(JSON.stringify(made.jobs)).not.toContain(made.token.slice(4, 12));
  },
);

test('only an active token can be revoked, and an unknown one is refused', () => {
  expect(revokeToken(undefined, ACT)).toEqual({ refused: expect.stringContaining('no such token') });
  for (const over of [
    { ...EXISTING, revokedAt: 1 },
    { ...EXISTING, expiresAt: NOW },
  ])
    expect(revokeToken(over, ACT)).toMatchObject({ jobs: [] });
  const subject = { action: 'token.revoke', subject: 'token:shop' };
  expect(revokeToken(EXISTING, ACT)).toMatchObject({
    jobs: [{ input: { name: 'shop', now: NOW } }, { input: subject }],
  });
});
