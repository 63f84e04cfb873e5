import { expect, test } from 'bun:test';
import { constants, deflateRawSync, deflateSync, inflateSync } from 'node:zlib';
import fc from 'fast-check';
import {
  encodeStatusList,
  STATUS_LIST_SIZE,
  signStatusList,
  statusAt,
} from '../../../src/domain/credential/status-list.ts';
import { verifyStatusList } from '../../../src/domain/credential/verify-status-list.ts';
import { forged, ISSUER, NOW, newKey } from '../../support/signed.ts';

/** Examples of draft-ietf-oauth-status-list-20: in its text, and of one bit in its test vectors. */
const SHORT = 'eNrbuRgAAhcBXQ';
const LONG =
  'eNrt3AENwCAMAEGogklACtKQPg9LugC9k_ACvreiogEAAKkeCQAAAAAAAAAAAAAAAAAAAIBylgQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAXG9IAAAAAAAAAPwsJAAAAAAAAAAAAAAAvhsSAAAAAAAAAAAA7KpLAAAAAAAAAAAAAAAAAAAAAJsLCQAAAAAAAAAAADjelAAAAAAAAAAAKjDMAQAAAACAZC8L2AEb';
const LONG_REVOKED = [0, 1993, 25460, 159495, 495669, 554353, 645645, 723232, 854545, 934534, 1000345];
const URI = `${ISSUER}/status-lists/3`;

const bytesIn = (lst: string) => inflateSync(Buffer.from(lst, 'base64url'));
const lstOf = (bytes: Uint8Array) => deflateSync(bytes).toString('base64url');

test('the first example of the draft is read: the lowest bit of a byte comes first', () => {
  const bits = Array.from({ length: 16 }, (_, index) => statusAt(SHORT, index));
  expect(bits.map(Number)).toEqual([1, 0, 0, 1, 1, 1, 0, 1, 1, 1, 0, 0, 0, 1, 0, 1]);
  expect(statusAt(SHORT, 16)).toBe('out_of_bounds');
});

test('the test vector of the draft is read', () => {
  for (const index of LONG_REVOKED) expect([index, statusAt(LONG, index)]).toEqual([index, true]);
  for (const index of LONG_REVOKED) expect([index, statusAt(LONG, index + 1)]).toEqual([index, false]);
  const ones = bytesIn(LONG).reduce((sum, byte) => sum + byte.toString(2).replaceAll('0', '').length, 0);
  expect(ones).toBe(LONG_REVOKED.length);
});

test("Redoubt's lists are written like those of the draft", () => {
  const revoked = [0, 3, 4, 5, 7, 8, 9, 13, 15];
  const bytes = bytesIn(encodeStatusList(revoked));
  expect(bytes.length * 8).toBe(STATUS_LIST_SIZE);
  expect([...bytes.subarray(0, 3)]).toEqual([...bytesIn(SHORT), 0]);
  const inReach = LONG_REVOKED.filter((index) => index < STATUS_LIST_SIZE);
  expect(bytesIn(encodeStatusList(inReach))).toEqual(bytesIn(LONG).subarray(0, STATUS_LIST_SIZE / 8));
});

test('a list reads as the values that were written', () => {
  const place = fc.nat({ max: STATUS_LIST_SIZE - 1 });
  fc.assert(
    fc.property(fc.uniqueArray(place), fc.array(place), (revoked, asked) => {
      const lst = encodeStatusList(revoked);
      for (const index of [...revoked, ...asked]) expect(statusAt(lst, index)).toBe(revoked.includes(index));
    }),
    { numRuns: 50 },
  );
});

test.each([-1, STATUS_LIST_SIZE, 0.5, Number.NaN, 2 ** 53])('%d is not a place in a list', (index) => {
  expect(() => encodeStatusList([index])).toThrow(RangeError);
  expect(statusAt(encodeStatusList([]), index)).toBe('out_of_bounds');
});

/** Endless zeros except their checksum, which is known without writing them: 2 GiB in 2 MB. */
function gigabytesOfZeros(): string {
  const block = deflateRawSync(Buffer.alloc(2 ** 20), { finishFlush: constants.Z_FULL_FLUSH });
  const blocks = 2 ** 11;
  const last = Buffer.from([0x03, 0x00]);
  const adler = Buffer.alloc(4);
  adler.writeUInt32BE((((blocks * 2 ** 20) % 65_521) * 2 ** 16 + 1) >>> 0);
  const parts = [Buffer.from([0x78, 0x9c]), ...Array<Buffer>(blocks).fill(block), last, adler];
  return Buffer.concat(parts).toString('base64url');
}

test('a list that inflates to gigabytes, or to one byte too many, is malformed', () => {
  expect(statusAt(gigabytesOfZeros(), 1)).toBe('malformed');
  expect(statusAt(lstOf(Buffer.alloc(128 * 1_024)), 1)).toBe(false);
  expect(statusAt(lstOf(Buffer.alloc(128 * 1_024 + 1)), 1)).toBe('malformed');
});

test.each(['', 'AAAA', 'eNrbuRg', 'no list', deflateRawSync(Buffer.alloc(9)).toString('base64url')])(
  'text that is not a deflated list is malformed: "%s"',
  (lst) => expect(statusAt(lst, 0)).toBe('malformed'),
);

const signedList = (key = newKey(), lst = encodeStatusList([77])) =>
  signStatusList({ issuer: ISSUER, listId: 3, issuedAt: NOW, lst, key });

test('a signed list contains its expiry and its type', async () => {
  const token = await signedList();
  const [head, body] = token.split('.').map((part) => Buffer.from(part, 'base64url').toString());
  expect(JSON.parse(head ?? '')).toMatchObject({ alg: 'ES256', typ: 'statuslist+jwt' });
  expect(JSON.parse(body ?? '')).toEqual({
    iss: ISSUER,
    sub: URI,
    iat: NOW / 1_000,
    exp: NOW / 1_000 + 7 * 86_400,
    ttl: 3_600,
    status_list: { bits: 1, lst: encodeStatusList([77]) },
  });
});

test('an offline list is accepted when a key has signed it and it is the requested one', async () => {
  const key = newKey();
  const keys = [{ ...key, revokedAt: null }];
  const lst = encodeStatusList(Array.from({ length: 9_000 }, (_, n) => (n * 7_919) % STATUS_LIST_SIZE));
  const token = await signedList(key, lst);
  const week = 7 * 86_400_000;
  const asked = { uri: URI, now: NOW + week - 1 };
  expect(await verifyStatusList(token, keys, asked)).toEqual({
    lst,
    issuedAt: NOW,
    expiresAt: NOW + week,
    isOver: false,
  });
  expect(await verifyStatusList(token, keys, { uri: URI, now: NOW + week })).toMatchObject({ isOver: true });
  const refusal = async (text: string, by = keys, uri = URI) =>
    (await verifyStatusList(text, by, { uri, now: NOW })) as object;
  expect(await refusal(token, [])).toEqual({ refused: 'unknown_key' });
  const wrong = { ...newKey(), kid: key.kid, revokedAt: null };
  expect(await refusal(token, [wrong])).toEqual({ refused: 'bad_signature' });
  expect(await refusal(token, [{ ...key, revokedAt: NOW } as never])).toEqual({ refused: 'key_revoked' });
  expect(await refusal(token, keys, `${ISSUER}/status-lists/4`)).toEqual({ refused: 'other_list' });
  const header = { alg: 'ES256', typ: 'statuslist+jwt', kid: key.kid };
  const claims = { sub: URI, iat: 1, exp: 2, status_list: { bits: 1, lst: SHORT } };
  const { privateKey } = key;
  for (const malformed of [
    forged({ ...header, typ: 'vc+jwt' }, claims, privateKey),
    forged({ ...header, crit: ['x'] }, claims, privateKey),
    forged(header, { ...claims, status_list: { bits: 2, lst: SHORT } }, privateKey),
    forged(header, { ...claims, status_list: { bits: 1 } }, privateKey),
    forged(header, { ...claims, exp: '2' }, privateKey),
    `${token}=`,
    '',
  ])
    expect(await refusal(malformed)).toEqual({ refused: 'malformed' });
  expect(await refusal(forged(header, claims, privateKey))).toMatchObject({ lst: SHORT });
});
