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

/** Anyone may look up a list; its places are read at most this often. */
const LOOKED_UP_EVERY_MS = SECOND_MS;
/** Each takes 65,536 credentials and, with all of them revoked, 22 KB. */
const LISTS_KEPT = 64;
const RETRY_SECONDS = 60;
const NUMBER = /^[1-9]\d{0,14}$/;
const HEADERS = {
  'content-type': 'application/statuslist+jwt',
  'cache-control': 'public, max-age=3600',
};

/** A list as it is served. */
interface SignedList {
  readonly lst: string;
  readonly kid: string;
  /** In milliseconds since the Unix epoch. */
  readonly signedAt: number;
  /** When it was last checked, on the monotonic clock. */
  readonly lookedUpAt: number;
  readonly content: Representations;
}

/** The lists in which verifiers look up revocations; outside the contract. */
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

      /** Signed again when it, or the key, has changed or a day has passed. */
      const lookUp = async (id: number, key: SigningKey): Promise<SignedList | undefined> => {
        const issuer = await lists.issuerOf(id);
        if (issuer === undefined) return undefined;
        const lst = encodeStatusList(await lists.revoked(id));
        const last = signedLists.get(id);
        const isRight = last?.lst === lst && last.kid === key.kid && isOfToday(last, clock.now());
        return isRight ? { ...last, lookedUpAt: clock.monotonic() } : sign(id, issuer, lst, key);
      };

      const remember = (id: number, list: SignedList): SignedList => {
        setBounded(signedLists, id, list, LISTS_KEPT);
        return list;
      };

      /** The last signed list, while verifiers still accept it. */
      const withoutKey = async (id: number, known?: SignedList): Promise<SignedList | undefined> => {
        if (known && Math.abs(clock.now() - known.signedAt) < STATUS_LIST_VALID_MS) return known;
        if ((await lists.issuerOf(id)) === undefined) return undefined;
        throw refuse(
          'STORE_UNAVAILABLE',
          'No key can sign this list at the moment; try again later.',
          RETRY_SECONDS,
        );
      };

      const current = async (id: number): Promise<SignedList | undefined> => {
        const key = await credentialKeys.active();
        const known = signedLists.get(id);
        if (key === undefined) return withoutKey(id, known);
        const isNew = known?.kid === key.kid && clock.monotonic() - known.lookedUpAt < LOOKED_UP_EVERY_MS;
        if (isNew) return known;
        const list = await lookUp(id, key);
        return list && remember(id, list);
      };

      return async ({ request, set, params: { listId } }) => {
        const id = Number(listId);
        const list = NUMBER.test(listId) ? await turns.take(id, () => current(id)) : undefined;
        if (list === undefined) throw refuse('NOT_FOUND', 'Unknown path.');
        set.headers['access-control-allow-origin'] = '*';
        return answerFrom({ request, set }, list.content);
      };
    },
  ),
});

const isOfToday = ({ signedAt }: SignedList, nowMs: number): boolean => Math.abs(nowMs - signedAt) < DAY_MS;
