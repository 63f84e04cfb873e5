import type { SsvcAnswers } from '../domain/risk/facts.ts';
import type { SeverityVector, VulnerabilityRecord } from '../domain/vulnerability/record.ts';
import type { VexStatement } from '../domain/vulnerability/vex.ts';

/** The supported formats, with the names used on the command line. */
export const FEED_FORMATS = ['osv', 'wordfence', 'cve', 'kev', 'epss', 'csaf', 'openvex'] as const;
export type FeedFormat = (typeof FEED_FORMATS)[number];

/** A vulnerability with the affected components. */
export interface VulnerabilityFact {
  readonly kind: 'vulnerability';
  readonly record: VulnerabilityRecord;
}

/** A record that its source withdrew; its stored content must be removed. */
export interface WithdrawnFact {
  readonly kind: 'withdrawn';
  readonly source: string;
  readonly id: string;
  /**
   * When the source last changed it, in milliseconds since the Unix epoch; null = unknown, so all stored content must be removed.
   */
  readonly modifiedAt: number | null;
}

/** A malformed record; its stored content is retained. */
export interface RefusedFact {
  readonly kind: 'refused';
  readonly id: string;
}

/** Facts about a CVE other than the affected components. */
export interface EnrichmentFact {
  readonly kind: 'enrichment';
  readonly cve: string;
  /** Milliseconds since the Unix epoch; null = unknown. */
  readonly modifiedAt: number | null;
  /** Vectors of the CVE's assigner, then of CISA; may be empty. */
  readonly severity: readonly SeverityVector[];
  readonly ssvc: SsvcAnswers | null;
  /** Set if CISA lists it as exploited; `since` in milliseconds since the Unix epoch, null = unknown. */
  readonly knownExploited: { readonly since: number | null } | null;
}

/** An entry in a catalogue of exploited vulnerabilities. */
export interface ExploitedFact {
  readonly kind: 'exploited';
  readonly catalogue: 'cisa' | 'enisa';
  readonly cve: string;
  /** When it was listed, in milliseconds since the Unix epoch; null = unknown. */
  readonly since: number | null;
  /** Whether ransomware is known to use it. */
  readonly ransomware: boolean;
}

/** FIRST's EPSS score: the probability that a CVE is exploited within 30 days. */
export interface EpssFact {
  readonly kind: 'epss';
  readonly cve: string;
  /** 0 to 1. */
  readonly probability: number;
  /** Share of all CVEs with the same or a lower probability, 0 to 1. */
  readonly percentile: number;
}

/** A supplier's statement about one product and one vulnerability. */
export interface VexFact extends Omit<VexStatement, 'source'> {
  readonly kind: 'vex';
  /** Id of the document; the newest revision of a document counts. */
  readonly document: string;
  /** In milliseconds since the Unix epoch. */
  readonly revisedAt: number;
  /** Id of the vulnerability: a CVE or another name. */
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

/** A record that was skipped because it is unusable. */
export interface RefusedRecord {
  /** Its id, else its key or number; printable, at most 64 characters. */
  readonly id: string;
  /** Text of this program, without content of the record. */
  readonly reason: string;
}

/** The origin and terms of a feed. */
export interface FeedSource {
  /** `osv:<ecosystem>`, `wordfence`, `cve`, `kev:cisa`, `kev:enisa`, `epss`, `csaf`, `openvex`, or a name set by the operator. */
  readonly source: string;
  /** Terms of use, plain text. */
  readonly license: string;
  /** Attribution that must be shown next to its records, plain text. */
  readonly attribution: string;
  /** Date of the feed or, without one, of its newest record, in milliseconds since the Unix epoch. */
  readonly publishedAt: number | null;
  /** Such as `v2026.06.15`; null for other formats. */
  readonly epssModelVersion: string | null;
}

/** The result of reading a whole feed. */
export interface FeedSummary extends FeedSource {
  readonly format: FeedFormat;
  /** SHA-256 of the file as stored, in lower-case hexadecimal. */
  readonly sha256: string;
  readonly bytes: number;
  readonly expandedBytes: number;
  /** Records with facts. */
  readonly records: number;
  readonly withdrawn: number;
  /** Irrelevant records (other ecosystems, informational) and archive members that are not feeds. */
  readonly skipped: number;
  readonly refused: number;
  /** The first 20 refused records. */
  readonly refusals: readonly RefusedRecord[];
}
