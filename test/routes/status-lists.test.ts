import { beforeEach, describe, expect, test } from 'bun:test';
import { generateKeyPairSync } from 'node:crypto';
import { kidOf, type SigningKey } from '../../src/domain/credential/signing.ts';
import { statusAt } from '../../src/domain/credential/status-list.ts';
import type { P256Jwk } from '../../src/domain/signing/p256-jwk.ts';
import { createLimits } from '../../src/http/limits.ts';
import { DAY_MS, SECOND_MS } from '../../src/lib/clock.ts';
import { statusLists } from '../../src/routes/status-lists.ts';
import { alone, type PartsFor } from '../support/endpoint.ts';

function newKey(): SigningKey {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { kty, crv, x, y } = publicKey.export({ format: 'jwk' }) as P256Jwk;
  const jwk = { kty, crv, x, y };
  return { kid: kidOf(jwk), jwk, privateKey };
}

/** Time, and by how much the wall clock was set back. */
let now: number;
let back: number;
let revoked: number[];
let key: SigningKey | undefined;
/** How often the places of a list were read. */
let reads: number;
let ask: ReturnType<typeof alone>;
beforeEach(() => {
  [now, back, revoked, key, reads] = [1_800_000_000_000, 0, [], newKey(), 0];
  const clock = { now: () => now - back, monotonic: () => now };
  const limits = createLimits({ rateKeyPerMinute: 1, rateIpPerMinute: 1_000_000 }, () => '', clock.monotonic);
  const lists = {
    issuerOf: async (id: number) => (id === 99 ? undefined : 'https://redoubt.example'),
    revoked: async () => {
      reads += 1;
      return revoked;
    },
  };
  const credentialKeys = { active: async () => key };
  const parts = { limits, clock, credentialKeys, statusLists: lists };
  ask = alone(statusLists, parts as unknown as PartsFor<typeof statusLists>);
});

const get = async (id = 1) => {
  const reply = await ask(new Request(`http://localhost/status-lists/${id}`), {
    params: { listId: String(id) },
  });
  return { status: reply.status, token: await reply.text(), etag: reply.headers.get('etag') };
};
const claimsOf = ({ token }: { token: string }) => {
  const [head, payload] = token.split('.').map((part) => Buffer.from(part, 'base64url').toString());
  return { ...JSON.parse(payload ?? ''), kid: JSON.parse(head ?? '').kid };
};

describe('a status list', () => {
  test('stays byte for byte the same until a change, though each signature would differ', async () => {
    const first = await get();
    for (let hours = 0; hours < 23; hours++) {
      now += DAY_MS / 24;
      expect(await get()).toEqual(first);
    }
  });

  test('is signed again when a credential was revoked', async () => {
    const first = await get();
    revoked = [70_000];
    now += SECOND_MS;
    const second = await get();
    expect(second.etag).not.toBe(first.etag);
    expect(statusAt(claimsOf(second).status_list.lst, 70_000)).toBe(true);
  });

  test('is signed again after a day, also by a clock that was set back', async () => {
    const first = claimsOf(await get());
    now += DAY_MS;
    expect(claimsOf(await get()).iat).toBe(first.iat + DAY_MS / SECOND_MS);
    back = 2 * DAY_MS;
    now += SECOND_MS;
    expect(claimsOf(await get()).iat).toBeLessThan(first.iat);
  });

  test('is immediately signed by a new key, and without any stays while it is valid', async () => {
    const first = claimsOf(await get());
    key = newKey();
    expect(claimsOf(await get()).kid).toBe(key.kid);
    expect(first.kid).not.toBe(key.kid);
    const last = await get();
    key = undefined;
    now += 7 * DAY_MS - 1;
    expect(await get()).toEqual(last);
    expect([(await get(2)).status, (await get(99)).status]).toEqual([503, 404]);
    now += 1;
    expect((await get()).status).toBe(503);
  });

  test('is read once a second for any number of requests, also concurrent ones', async () => {
    const replies = await Promise.all(Array.from({ length: 50 }, () => get()));
    expect(new Set(replies.map(({ token }) => token)).size).toBe(1);
    now += SECOND_MS - 1;
    await get();
    expect(reads).toBe(1);
    now += 1;
    await get();
    expect(reads).toBe(2);
  });
});

test('a limited number of lists is cached, the most recently requested', async () => {
  const first = await get(1);
  for (let id = 2; id <= 65; id++) await get(id);
  expect((await get(65)).token).toBe((await get(65)).token);
  const again = await get(1);
  expect(again.token).not.toBe(first.token);
});
