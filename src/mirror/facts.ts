import type { SsvcAnswers } from '../domain/risk/facts.ts';
import type { SeverityVector, VulnerabilityRecord } from '../domain/vulnerability/record.ts';
import type { VexStatement } from '../domain/vulnerability/vex.ts';

/** What a feed may be, as an operator calls it. */
export const FEED_FORMATS = ['osv', 'wordfence', 'cve', 'kev', 'epss', 'csaf', 'openvex'] as const;
export type FeedFormat = (typeof FEED_FORMATS)[number];

/** A vulnerability and what it affects. */
export interface VulnerabilityFact {
  readonly kind: 'vulnerability';
  readonly record: VulnerabilityRecord;
}

/** A record that its source withdrew: its earlier content must be removed. */
export interface WithdrawnFact {
  readonly kind: 'withdrawn';
  readonly source: string;
  readonly id: string;
  /**
   * When the source last changed it, in milliseconds since the Unix epoch; null = unknown, so all earlier content must be
   * removed.
   */
  readonly modifiedAt: number | null;
}

/** A malformed record: its stored earlier content stays. */
export interface RefusedFact {
  readonly kind: 'refused';
  readonly id: string;
}

/** Facts of a CVE other than the affected components. */
export interface EnrichmentFact {
  readonly kind: 'enrichment';
  readonly cve: string;
  /** Milliseconds since the Unix epoch; null = not told. */
  readonly modifiedAt: number | null;
  /** Of the CVE's assigner, then of CISA; may be empty. */
  readonly severity: readonly SeverityVector[];
  readonly ssvc: SsvcAnswers | null;
  /** Set when CISA lists it as exploited; `since` in milliseconds since the Unix epoch, null = not told. */
  readonly knownExploited: { readonly since: number | null } | null;
}

/** An entry of a catalogue of exploited vulnerabilities. */
export interface ExploitedFact {
  readonly kind: 'exploited';
  readonly catalogue: 'cisa' | 'enisa';
  readonly cve: string;
  /** When it was listed, in milliseconds since the Unix epoch; null = not told. */
  readonly since: number | null;
  /** Whether ransomware is known to use it. */
  readonly ransomware: boolean;
}

/** How likely a CVE is exploited within 30 days (FIRST's EPSS). */
export interface EpssFact {
  readonly kind: 'epss';
  readonly cve: string;
  /** 0 to 1. */
  readonly probability: number;
  /** The part of all CVEs that are not more likely, 0 to 1. */
  readonly percentile: number;
}

/** A supplier's statement about one product and one vulnerability. */
export interface VexFact extends Omit<VexStatement, 'source'> {
  readonly kind: 'vex';
  /** The document that states it, of which the newest revision counts. */
  readonly document: string;
  /** In milliseconds since the Unix epoch. */
  readonly revisedAt: number;
  /** A name of the vulnerability. */
  readonly cve: string;
}

export type FeedFact =
  | VulnerabilityFact
  | WithdrawnFact
  | RefusedFact
  | EnrichmentFact
  | ExploitedFact
  | EpssFact
  | VexFact;

/** A record that could not be used, though the feed as a whole can. */
export interface RefusedRecord {
  /** Its id or, without one, its key or number; printable, 64 characters at most. */
  readonly id: string;
  /** In our own words. */
  readonly reason: string;
}

/** Where facts come from. */
export interface FeedSource {
  /**
   * `osv:<ecosystem>`, `wordfence`, `cve`, `kev:cisa`, `kev:enisa`, `epss`, `csaf`, `openvex`, or the operator's name for it.
   */
  readonly source: string;
  /** Under which terms, plain text. */
  readonly license: string;
  /** What has to be shown beside its records, plain text. */
  readonly attribution: string;
  /** The date of the feed or, when it has none, of its newest record, in milliseconds since the Unix epoch. */
  readonly publishedAt: number | null;
  /** Such as `v2026.06.15`; null for what is not EPSS. */
  readonly epssModelVersion: string | null;
}

/** What a whole file held. */
export interface FeedSummary extends FeedSource {
  readonly format: FeedFormat;
  /** Of the file as it is, in lower-case hexadecimal. */
  readonly sha256: string;
  readonly bytes: number;
  readonly expandedBytes: number;
  /** Records that gave facts. */
  readonly records: number;
  /** Records that were withdrawn or rejected. */
  readonly withdrawn: number;
  /** Records without meaning for us (other ecosystems, informational), and members of an archive that are no feed. */
  readonly skipped: number;
  readonly refused: number;
  /** The first 20 of those refused. */
  readonly refusals: readonly RefusedRecord[];
}
