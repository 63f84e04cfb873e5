import type { Standing } from '../domain/license/license.ts';
import { refuse } from '../domain/refusal.ts';
import type { Awaitable } from '../lib/awaitable.ts';
import { trimInvisible } from '../lib/trim-invisible.ts';
import { whenReady } from '../lib/when-ready.ts';
import type { Caller, HookContext } from './context.ts';
import type { Limits } from './limits.ts';
import { noteSignIn } from './sign-in-counts.ts';

/** A license found by its key, with its current standing. */
export type FoundLicense = Pick<Caller, 'license' | 'standing'>;

/** Finds a license by its key, synchronously if cached; undefined for an unknown key. */
export type FindLicense = (key: string) => FoundLicense | undefined | Promise<FoundLicense | undefined>;

/** Records the license of a request for the access log. */
export function noteLicense({ exchange }: HookContext['set'], found: FoundLicense | undefined): void {
  if (exchange && found) exchange.licenseId = found.license.id;
}

const BEARER = /^Bearer +([!-~]+)$/i;
const SCHEME = /^Bearer/i;

/** The key of an Authorization header; undefined if the header is missing or not a Bearer header. */
export function bearerKey({ headers }: Request): string | undefined {
  const header = headers.get('authorization');
  return header === null ? undefined : (BEARER.exec(header)?.[1] ?? wrappedKey(header));
}

/** A key surrounded by invisible characters. Headers contain those as bytes of UTF-8. */
function wrappedKey(header: string): string | undefined {
  const text = trimInvisible(fromBytes(header));
  if (!SCHEME.test(text)) return undefined;
  const sent = text.slice('Bearer'.length);
  const key = trimInvisible(sent);
  return key === sent || key === '' || /\s/.test(key) ? undefined : key;
}

/** Decodes a header value as UTF-8, unless the runtime has already done so. */
function fromBytes(header: string): string {
  return /^[\0-\xff]*$/.test(header) ? Buffer.from(header, 'latin1').toString() : header;
}

const BASIC = /^Basic +([A-Za-z0-9+/_-]+={0,2})$/i;

/** The key of a Bearer header, or the password of a Basic header. */
export function bearerOrBasicKey(request: Request): string | undefined {
  const [, encoded] = BASIC.exec(request.headers.get('authorization') ?? '') ?? [];
  if (encoded === undefined) return bearerKey(request);
  const [, password = ''] = /^[^:]*:(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
  return /^[!-~]+$/.exec(trimInvisible(password))?.[0];
}

interface AuthenticationRules {
  /** Reads the key from a request; by default, from its Bearer header. */
  readonly keyOf?: (request: Request) => string | undefined;
  /** Refuses all licenses that are neither active nor in trial with INVALID_KEY. */
  readonly onlyValid?: boolean;
  /** Tokens that a request consumes; 1 by default. */
  readonly unitsOf?: (request: Request) => number;
}

/** Finds the license of a request, synchronously if cached. */
export type Authenticate = (context: HookContext) => Awaitable<Identified>;

/** The license of a request, which is the tenant. */
export interface Identified {
  readonly caller: Caller;
  readonly licenseId: number;
}

/**
 * Authenticates a Bearer request and counts it against the limit of its key. The key is looked up first, and only invalid
 * keys count against the address. So other clients at the same address cannot lock out a valid key.
 */
export function authenticate(
  findLicense: FindLicense,
  limits: Limits,
  { keyOf = bearerKey, onlyValid = false, unitsOf = () => 1 }: AuthenticationRules = {},
): Authenticate {
  const isKnown = ({ state, valid }: Standing) =>
    onlyValid ? valid : state !== 'revoked' && state !== 'pending';

  return ({ request, set }) => {
    const inside = set.exchange?.inside;
    if (inside) return { caller: notExpired(inside), licenseId: inside.license.id };
    const key = keyOf(request);
    if (key === undefined) throw refuse('UNAUTHORIZED', 'Send the header "Authorization: Bearer <API key>".');

    return whenReady(findLicense(key), (found) => {
      noteLicense(set, found);
      if (found === undefined || !isKnown(found.standing)) {
        const invalid = refuse('INVALID_KEY', 'This API key is not valid.');
        const limited = limits.countFailedAuthentication({ request, set });
        noteSignIn(set, limited ? 'key limited' : 'key failed');
        throw limited ?? invalid;
      }
      noteSignIn(set, 'key succeeded');
      notExpired(found);
      const wanted = unitsOf(request);
      const units = { now: wanted, again: wanted };
      const { id: licenseId } = found.license;
      return whenReady(limits.spendKey({ request, set }, licenseId, units), () => ({
        caller: { ...found, key },
        licenseId,
      }));
    });
  };
}

/** @throws Refusal of an expired license */
function notExpired<Found extends FoundLicense>(found: Found): Found {
  if (found.standing.state === 'expired') throw refuse('EXPIRED', 'This API key has expired.');
  return found;
}
