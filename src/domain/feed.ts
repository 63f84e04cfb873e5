import { type AttackType, attackTypeOf, severityOfAttack } from './attack-type.ts';
import type { Severity } from './severity.ts';

/** When the word of several customers counts (decisions.md, "Corroboration"). */
export interface CorroborationRule {
  /** Distinct licenses that must have reported a fingerprint, 1 or more. */
  readonly minCorroboration: number;
  /** How far back a report counts, in days. */
  readonly windowDays: number;
}

/** A fingerprint with how many eligible licenses reported it within the window. */
export interface CorroboratedThreat {
  readonly fingerprint: string;
  readonly attackType: string;
  readonly licenses: number;
}

/** What the feed says of one threat: nothing of who reported it. */
export interface FeedEntry {
  readonly fingerprint: string;
  readonly attack_type: AttackType;
  readonly severity: Severity;
  readonly corroboration_count: number;
}

export interface FeedSnapshot {
  /** Number of the epoch in which this content first appeared. */
  readonly epoch: number;
  /** Milliseconds since the Unix epoch. */
  readonly generatedAt: number;
  /** JSON text of the {@link FeedEntry} array: serialised once, compared and served as it is. */
  readonly entries: string;
}

/** Names are mapped here too: reports that an older version stored have them as they were sent. */
function feedEntry({ fingerprint, attackType, licenses }: CorroboratedThreat): FeedEntry {
  const attack_type = attackTypeOf(attackType);
  return {
    fingerprint,
    attack_type,
    severity: severityOfAttack(attack_type),
    corroboration_count: licenses,
  };
}

/**
 * The snapshot to serve from now on: the last one while its content holds, so that readers keep
 * their ETag, else a new one whose epoch is later than the last.
 */
export function nextSnapshot(
  last: FeedSnapshot | undefined,
  threats: readonly CorroboratedThreat[],
  nowMs: number,
  epochSeconds: number,
): FeedSnapshot {
  const entries = JSON.stringify(threats.map(feedEntry));
  if (last?.entries === entries) return last;
  const epoch = Math.floor(nowMs / (epochSeconds * 1_000));
  return { epoch: Math.max(epoch, (last?.epoch ?? 0) + 1), generatedAt: nowMs, entries };
}
