/** Known exploitation: none, possible by public means, or active. SSVC `ssvc:E:1.1.0`. */
export const EXPLOITATIONS = ['none', 'poc', 'active'] as const;
export type Exploitation = (typeof EXPLOITATIONS)[number];

/** What a success gives: some control over the component, or all of it. SSVC `ssvc:TI:1.0.0`. */
export const TECHNICAL_IMPACTS = ['partial', 'total'] as const;
export type TechnicalImpact = (typeof TECHNICAL_IMPACTS)[number];

/** Who can reach the component: hardly anybody, a known few, the public. SSVC `ssvc:EXP:1.0.1`. */
export const EXPOSURES = ['small', 'controlled', 'open'] as const;
export type Exposure = (typeof EXPOSURES)[number];

/** What depends on the site. SSVC `ssvc:MWI:1.0.0`. */
export const IMPORTANCES = ['low', 'medium', 'high'] as const;
export type Importance = (typeof IMPORTANCES)[number];

export const YES_NO = ['no', 'yes'] as const;
export type YesNo = (typeof YES_NO)[number];

/** FIRST's estimate of how likely it is that a CVE is exploited within 30 days. */
export interface Epss {
  /** 0 to 1. */
  readonly probability: number;
  /** Share of all CVEs with this probability or a lower one, 0 to 1; never a probability. */
  readonly percentile: number;
  /** As the file names it. A new model moves scores without a new fact. */
  readonly modelVersion: string;
  /** Milliseconds since the Unix epoch. */
  readonly scoreDate: number;
}

/** An entry in a catalog of known exploited vulnerabilities. */
export interface KnownExploited {
  /** Which one, such as `cisa` or `enisa`. */
  readonly catalogue: string;
  /** When the catalog added it, in milliseconds since the Unix epoch; null when unknown. */
  readonly since: number | null;
  /** Whether it is known to be used for ransomware. */
  readonly ransomware: boolean;
}

/** The answers of CISA's analysts in Vulnrichment; null = none, or unknown words. */
export interface SsvcAnswers {
  readonly exploitation: Exploitation | null;
  readonly automatable: YesNo | null;
  readonly technicalImpact: TechnicalImpact | null;
}

/** The installed component that a vulnerability is in. */
export interface RiskComponent {
  readonly name: string;
  /** The smallest versions above the installed one without it; empty when no fix is known. */
  readonly fixedVersions: readonly string[];
  /** Whether its owner can do without it: a plugin, but not the application's core. */
  readonly removable: boolean;
}

/** The facts about one vulnerability where it was found. */
export interface RiskFacts {
  /** As published, by any source and of any version; those that cannot be read say nothing. */
  readonly cvssVectors: readonly string[];
  readonly epss: Epss | null;
  /** The middle probability of the imported EPSS file, 0 to 1; null when none was imported. */
  readonly epssMedian: number | null;
  readonly knownExploited: readonly KnownExploited[];
  readonly ssvc: SsvcAnswers | null;
  /** A source refers to public evidence, such as OSV by a reference of type EVIDENCE. */
  readonly hasPublicExploit: boolean;
  /** The operator's assertion; null without one. */
  readonly assertedExploitation: Exploitation | null;
  /** Null = unknown. */
  readonly exposure: Exposure | null;
  /** The tenant's setting; null when not set. */
  readonly importance: Importance | null;
  /** Null when only the vulnerability is known. */
  readonly component: RiskComponent | null;
}
