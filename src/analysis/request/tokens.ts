import { REQUEST, type Report } from './signals.ts';

/** A JSON Web Token (RFC 7519) in three parts; the first begins like a JSON object. */
const TOKEN = /(?<![\w-])(eyJ[\w-]{8,2000})\.(eyJ[\w-]{2,8000})\.([\w-]{0,2000})/g;
const TOKENS_MAX = 8;
/** Key names that are paths, URLs or injections. */
const OTHER_KEY = /\.\.[/\\]|^\/(?:dev|etc|proc|tmp|var)\/|['"`|;]|^https?:\/\/[^/]{0,200}[@#]/;

/** Finds forged tokens: not signed (`alg` is `none`, RFC 8725, section 3.2), or with a key of the caller (section 3.10). */
export function findTokens(value: string, report: Report): void {
  if (!value.includes('eyJ')) return;
  let read = 0;
  for (const [, head = '', , signature] of value.matchAll(TOKEN)) {
    if (++read > TOKENS_MAX) return;
    const { alg, kid } = headOf(head);
    const isUnsigned = typeof alg === 'string' && alg.toLowerCase() === 'none';
    if (isUnsigned && signature === '') report(REQUEST.unsignedToken);
    if (typeof kid === 'string' && OTHER_KEY.test(kid)) report(REQUEST.foreignKey);
  }
}

function headOf(part: string): { readonly alg?: unknown; readonly kid?: unknown } {
  try {
    return Object(JSON.parse(Buffer.from(part, 'base64url').toString('utf8')));
  } catch {
    return {};
  }
}
