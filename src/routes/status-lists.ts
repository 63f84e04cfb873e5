import { STATUS_LIST_VALID_MS } from '../domain/credential/issuer-keys.ts';
import type { SigningKey } from '../domain/credential/signing.ts';
import { encodeStatusList, signStatusList } from '../domain/credential/status-list.ts';
import { refuse } from '../domain/refusal.ts';
import { answerFrom, type Representations, represent } from '../http/representations.ts';
import { created, openRoute } from '../http/route/index.ts';
import { DAY_MS, SECOND_MS } from '../lib/clock.ts';
import { setBounded } from '../lib/set-bounded.ts';
import { TurnsByKey } from '../lib/turns.ts';
import type { Parts } from './parts.ts';

/** Minimum time between reads of a list from the database, because requests need no authentication. */
const LOOKUP_INTERVAL_MS = SECOND_MS;
/** Lists cached in memory. Each covers 65,536 credentials and takes up to 22 KB, if all are revoked. */
const CACHED_LISTS_MAX = 64;
const RETRY_SECONDS = 60;
const ID_FORM = /^[1-9]\d{0,14}$/;
const HEADERS = {
  'content-type': 'application/statuslist+jwt',
  'cache-control': 'public, max-age=3600',
};

/** A signed list in memory. */
interface SignedList {
  readonly lst: string;
  readonly kid: string;
  /** Time of the signature, in milliseconds since the Unix epoch. */
  readonly signedAt: number;
  /** Time of the last read from the database, on the monotonic clock. */
  readonly lookedUpAt: number;
  readonly content: Representations;
}

/** The status lists of credentials, for verifiers; not in the contract. */
export const statusLists = openRoute({
  at: 'GET /status-lists/:listId',
  limit: 'public',
  handle: created(
    ({ statusLists: lists, credentialKeys, clock }: Parts<'clock' | 'credentialKeys' | 'statusLists'>) => {
      const signedLists = new Map<number, SignedList>();
      const turns = new TurnsByKey<number>();

      const sign = async (id: number, issuer: string, lst: string, key: SigningKey): Promise<SignedList> => {
        const [signedAt, lookedUpAt] = [clock.now(), clock.monotonic()];
        const token = await signStatusList({ issuer, listId: id, issuedAt: signedAt, lst, key });
        return { lst, kid: key.kid, signedAt, lookedUpAt, content: await represent(token, HEADERS) };
      };

      /** Reads a list, and signs it again if the list or the key has changed, or after a day. */
      const lookUp = async (id: number, key: SigningKey): Promise<SignedList | undefined> => {
        const issuer = await lists.issuerOf(id);
        if (issuer === undefined) return undefined;
        const lst = encodeStatusList(await lists.revoked(id));
        const last = signedLists.get(id);
        const isCurrent = last?.lst === lst && last.kid === key.kid && isOfToday(last, clock.now());
        return isCurrent ? { ...last, lookedUpAt: clock.monotonic() } : sign(id, issuer, lst, key);
      };

      const remember = (id: number, list: SignedList): SignedList => {
        setBounded(signedLists, id, list, CACHED_LISTS_MAX);
        return list;
      };

      /** Without an active key, the last signed list is served as long as verifiers accept it. */
      const withoutKey = async (id: number, known?: SignedList): Promise<SignedList | undefined> => {
        if (known && Math.abs(clock.now() - known.signedAt) < STATUS_LIST_VALID_MS) return known;
        if ((await lists.issuerOf(id)) === undefined) return undefined;
        throw refuse(
          'STORE_UNAVAILABLE',
          'This list cannot be signed at the moment. Try again later.',
          RETRY_SECONDS,
        );
      };

      const current = async (id: number): Promise<SignedList | undefined> => {
        const key = await credentialKeys.active();
        const known = signedLists.get(id);
        if (key === undefined) return withoutKey(id, known);
        const isFresh = known?.kid === key.kid && clock.monotonic() - known.lookedUpAt < LOOKUP_INTERVAL_MS;
        if (isFresh) return known;
        const list = await lookUp(id, key);
        return list && remember(id, list);
      };

      return async ({ request, set, params: { listId } }) => {
        const id = Number(listId);
        const list = ID_FORM.test(listId) ? await turns.take(id, () => current(id)) : undefined;
        if (list === undefined) throw refuse('NOT_FOUND', 'Unknown path.');
        set.headers['access-control-allow-origin'] = '*';
        return answerFrom({ request, set }, list.content);
      };
    },
  ),
});

const isOfToday = ({ signedAt }: SignedList, nowMs: number): boolean => Math.abs(nowMs - signedAt) < DAY_MS;
