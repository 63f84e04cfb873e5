// Verifies answers and license files of the service. Node.js 22.18 or later, Bun and Deno, without a library.
import { createHash, createPublicKey, verify } from 'node:crypto';

/** The field `keys` of /.well-known/redoubt-keys. */
export interface PublishedKey {
  readonly purpose: string;
  readonly kid: string;
  readonly public_key: string;
  readonly state: string;
  readonly not_after: string | null;
}

export interface Answer {
  readonly status: number;
  readonly headers: Pick<Headers, 'get'>;
  /** Unchanged, as received. */
  readonly body: string;
}

const INPUT =
  /^sig=(\("@status" "content-digest" "@method";req "@target-uri";req\);created=(\d{1,11});nonce="([^"]+)";keyid="([0-9a-f]{16})";alg="ed25519")$/;
const SECONDS_OFF_MAX = 300;

/** Whether an answer to POST `url` with `Accept-Signature: sig=();nonce="<nonce>"` is authentic, recent, and belongs to this request. */
export function replyHolds(
  { status, headers, body }: Answer,
  { url, nonce }: { readonly url: string; readonly nonce: string },
  keys: readonly PublishedKey[],
  now = Date.now(),
): boolean {
  const [, parameters, created, given, kid = ''] = INPUT.exec(headers.get('signature-input') ?? '') ?? [];
  const [, signature = ''] = /^sig=:([A-Za-z0-9+/]{86}==):$/.exec(headers.get('signature') ?? '') ?? [];
  const digest = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
  if (headers.get('content-digest') !== digest || given !== nonce) return false;
  if (Math.abs(now / 1000 - Number(created)) > SECONDS_OFF_MAX) return false;
  const base = [
    `"@status": ${status}`,
    `"content-digest": ${digest}`,
    '"@method";req: POST',
    `"@target-uri";req: ${url}`,
    `"@signature-params": ${parameters}`,
  ];
  return isSigned('reply', kid, signature, base.join('\n'), keys, now);
}

/** The content of a valid license file, otherwise undefined. Compare its `domains` with yours. */
export function licenseFile(
  text: string,
  keys: readonly PublishedKey[],
  now = Date.now(),
): Readonly<Record<string, unknown>> | undefined {
  const armour = /^-----BEGIN LICENSE FILE-----([A-Za-z0-9+/=\r\n]+)-----END LICENSE FILE-----\s*$/;
  try {
    const decode = (base64: string) => JSON.parse(Buffer.from(base64, 'base64').toString());
    const { enc, sig, alg } = decode(armour.exec(text)?.[1] ?? '');
    if (typeof enc !== 'string' || typeof sig !== 'string') return undefined;
    const said = decode(enc);
    const isCurrent = said.format === 'redoubt-license/1' && now < Date.parse(said.expiry);
    const holds = alg === 'base64+ed25519' && isSigned('license', said.kid, sig, `license/${enc}`, keys, now);
    return isCurrent && holds ? said : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a current, unrevoked key of this purpose signed a text. */
function isSigned(
  purpose: string,
  kid: string,
  signature: string,
  text: string,
  keys: readonly PublishedKey[],
  now: number,
): boolean {
  const key = keys.find((each) => each.purpose === purpose && each.kid === kid);
  if (key === undefined || key.state === 'revoked') return false;
  if (key.not_after !== null && Date.parse(key.not_after) <= now) return false;
  const x = Buffer.from(key.public_key, 'base64').toString('base64url');
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return verify(null, Buffer.from(text), publicKey, Buffer.from(signature, 'base64'));
}
