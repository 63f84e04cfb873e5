import { createHash, createPrivateKey } from 'node:crypto';
import { signLicenseFile } from '../../src/domain/license/license-file.ts';
import { type Ed25519Key, keyOf } from '../../src/domain/signing/ed25519-key.ts';
import type { PublishedKey } from '../../src/domain/signing/published-keys.ts';
import { type Component, contentDigest, signComponents } from '../../src/lib/http-signature.ts';

// The content of docs/clients/vectors.json, generated again, so that the file cannot differ from the
// service's signatures.

export interface ReplyVector {
  readonly name: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The request with its nonce. */
  readonly url: string;
  readonly nonce: string;
  /** Seconds since the Unix epoch. */
  readonly now: number;
  readonly holds: boolean;
}
export type FileVector = Pick<ReplyVector, 'name' | 'now' | 'holds'> & { readonly text: string };

/** 2026-11-27T12:00:00Z. */
const NOW = 1_795_780_800;
const DAY = 86_400;
const at = (seconds: number) => new Date(seconds * 1_000).toISOString();
const DER_OF_SEED = Buffer.from('302e020100300506032b657004220420', 'hex');

function keyNamed(name: string): Ed25519Key {
  const seed = createHash('sha256').update(`redoubt vectors, ${name}`).digest();
  return keyOf(createPrivateKey({ key: Buffer.concat([DER_OF_SEED, seed]), format: 'der', type: 'pkcs8' }));
}

const reply = keyNamed('reply');
const license = keyNamed('license');
const stolenReply = keyNamed('stolen reply');
const stolenLicense = keyNamed('stolen license');
const pastReply = keyNamed('past reply');
const stranger = keyNamed('stranger');

const published = (
  purpose: PublishedKey['purpose'],
  { kid, publicKey }: Ed25519Key,
  state: PublishedKey['state'],
  not_after: string | null = null,
): PublishedKey => ({
  purpose,
  kid,
  alg: 'Ed25519',
  public_key: publicKey,
  state,
  not_before: at(NOW - 90 * DAY),
  not_after,
});
const keys = [
  published('reply', stolenReply, 'revoked', at(NOW - DAY)),
  published('reply', pastReply, 'retired', at(NOW - 60)),
  published('reply', reply, 'active'),
  published('license', stolenLicense, 'revoked', at(NOW - DAY)),
  published('license', license, 'active'),
];

const URL = 'https://licenses.example/api/v1/license/verify';
const NONCE = 'q83vEjRWeJCrze8SNFZ4kA==';
const BODY = '{"valid":true,"plan":"pro","modules_allowed":["firewall"],"status":"active"}';

interface Signed {
  readonly by?: Pick<Ed25519Key, 'kid' | 'privateKey'>;
  readonly status?: number;
  readonly body?: string;
  readonly method?: string;
  readonly created?: number;
  readonly only?: number;
}

/** An answer as signed, and as it arrived. */
function answer(name: string, signed: Signed = {}, arrived: Partial<ReplyVector> = {}): ReplyVector {
  const { by = reply, status = 200, body = BODY, method = 'POST', created = NOW, only = 4 } = signed;
  const digest = contentDigest(Buffer.from(body));
  const components: Component[] = [
    ['"@status"', String(status)],
    ['"content-digest"', digest],
    ['"@method";req', method],
    ['"@target-uri";req', URL],
  ];
  const parameters = { created, nonce: NONCE, keyid: by.kid, alg: 'ed25519' } as const;
  const { input, signature } = signComponents('sig', components.slice(0, only), parameters, by.privateKey);
  const headers = { 'content-digest': digest, 'signature-input': input, signature };
  return { name, status, headers, body, url: URL, nonce: NONCE, now: NOW, holds: false, ...arrived };
}

const good = answer('good', {}, { holds: true });
const invalid = '{"valid":false,"plan":"free","modules_allowed":[]}';
const facts = {
  license: 'lic_7',
  plan: 'pro',
  modules: ['firewall'],
  domains: ['shop.example'],
  issued: at(NOW),
  expiry: at(NOW + 30 * DAY),
  serial: '0123456789abcdef',
};
const file = signLicenseFile(facts, license);
/** A modified answer: its body is below another's signature. */
const spliced = () => {
  const parsed = (text: string) =>
    JSON.parse(Buffer.from(text.split('\n').slice(1, -2).join(''), 'base64').toString());
  const other = parsed(signLicenseFile({ ...facts, plan: 'enterprise' }, license));
  const body = JSON.stringify({ ...parsed(file), enc: other.enc });
  return file.replace(/\n[^-]+\n/, `\n${Buffer.from(body).toString('base64')}\n`);
};

export const VECTORS = {
  keys,
  replies: [
    good,
    answer('good, and not valid', { body: invalid }, { holds: true }),
    answer(
      'good, a refusal',
      { status: 400, body: '{"valid":false,"error":"INVALID_PAYLOAD"}' },
      { holds: true },
    ),
    answer('good, four minutes late', {}, { now: NOW + 240, holds: true }),
    answer('a changed body', {}, { body: BODY.replace('pro', 'max') }),
    answer(
      'a changed body with its digest',
      {},
      {
        body: invalid,
        headers: { ...good.headers, 'content-digest': contentDigest(Buffer.from(invalid)) },
      },
    ),
    answer('an answer to another nonce', {}, { nonce: 'AAAAAAAAAAAAAAAAAAAAAA==' }),
    answer('an answer of another host', {}, { url: URL.replace('licenses', 'other') }),
    answer('an answer of another path', {}, { url: `${URL}?x=1` }),
    answer('another status', { status: 401 }, { status: 200 }),
    answer('another method', { method: 'GET' }),
    answer('too old', {}, { now: NOW + 301 }),
    answer('of the future', {}, { now: NOW - 301 }),
    answer('another key in the name of ours', { by: { ...stranger, kid: reply.kid } }),
    answer('an unknown key', { by: stranger }),
    answer('a revoked key', { by: stolenReply }),
    answer('a retired key that is over', { by: pastReply }),
    answer('a key for license files', { by: license }),
    answer('too little covered', { only: 3 }),
    answer('not signed', {}, { headers: {} }),
  ] satisfies ReplyVector[],
  files: [
    { name: 'good', text: file, now: NOW, holds: true },
    { name: 'good until its last second', text: file, now: NOW + 30 * DAY - 1, holds: true },
    { name: 'expired', text: file, now: NOW + 30 * DAY, holds: false },
    { name: 'changed', text: spliced(), now: NOW, holds: false },
    { name: 'cut', text: `${file.slice(0, 200)}\n-----END LICENSE FILE-----\n`, now: NOW, holds: false },
    {
      name: 'another key in the name of ours',
      text: signLicenseFile(facts, { ...stranger, kid: license.kid }),
      now: NOW,
      holds: false,
    },
    { name: 'an unknown key', text: signLicenseFile(facts, stranger), now: NOW, holds: false },
    { name: 'a revoked key', text: signLicenseFile(facts, stolenLicense), now: NOW, holds: false },
    { name: 'a key for replies', text: signLicenseFile(facts, reply), now: NOW, holds: false },
    { name: 'nothing', text: '', now: NOW, holds: false },
  ] satisfies FileVector[],
};
