import { SEVERITIES } from '../domain/severity.ts';
import type { AttackType } from '../domain/threat/attack-type.ts';
import { entriesAt, entriesOf, type FeedEntry, type FeedSnapshot } from '../domain/threat/feed.ts';
import { ownTurn } from '../lib/own-turn.ts';

/** Places of entries in the text of a feed, the most important first. */
interface Ranking {
  readonly all: readonly number[];
  readonly byAttack: ReadonlyMap<AttackType, readonly number[]>;
}

export interface RankedPage {
  readonly entries: readonly FeedEntry[];
  /** The rank at which the next page begins; undefined = there is none. */
  readonly next: number | undefined;
}

const ENTRIES_PER_TURN = 2_000;

/** Customers times severity, 1 (info) to 5 (critical). */
const importanceOf = ({ severity, corroboration_count: customers }: FeedEntry): number =>
  customers * (SEVERITIES.indexOf(severity) + 1);

/** Ranks a feed, some entries in each turn of the event loop: there may be hundreds of thousands. */
async function rank(snapshot: FeedSnapshot): Promise<Ranking> {
  const places = new Map<number, { readonly place: number; readonly attack: AttackType }[]>();
  let count = 0;
  for (const { place, entry } of entriesOf(snapshot)) {
    const importance = importanceOf(entry);
    const same = places.get(importance) ?? [];
    places.set(importance, same);
    same.push({ place, attack: entry.attack_type });
    count += 1;
    if (count % ENTRIES_PER_TURN === 0) await ownTurn();
  }
  const ranked = [...places.keys()].sort((one, other) => other - one).flatMap((key) => places.get(key) ?? []);
  const byAttack = new Map<AttackType, number[]>();
  for (const { place, attack } of ranked) {
    const same = byAttack.get(attack) ?? [];
    byAttack.set(attack, same);
    same.push(place);
  }
  return { all: ranked.map(({ place }) => place), byAttack };
}

/** Returns a function that reads pages of a feed by customers and severity. The ranking is made once for each snapshot, when it is first asked for. */
export function createFeedRanking() {
  let ranking:
    | { readonly epoch: number; readonly generatedAt: number; readonly done: Promise<Ranking> }
    | undefined;
  return async (
    snapshot: FeedSnapshot,
    {
      attack,
      from,
      limit,
    }: { readonly attack?: AttackType | undefined; readonly from: number; readonly limit: number },
  ): Promise<RankedPage> => {
    const { epoch, generatedAt } = snapshot;
    if (ranking?.epoch !== epoch || ranking.generatedAt !== generatedAt)
      ranking = { epoch, generatedAt, done: rank(snapshot) };
    const ranked = await ranking.done;
    const places = attack === undefined ? ranked.all : (ranked.byAttack.get(attack) ?? []);
    return {
      entries: entriesAt(snapshot, places.slice(from, from + limit)),
      next: places.length > from + limit ? from + limit : undefined,
    };
  };
}
