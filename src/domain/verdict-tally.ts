export const AI_VERDICTS = ['malicious', 'suspicious', 'clean'] as const;
export type AiVerdict = (typeof AI_VERDICTS)[number];

/** How often a tenant's analyses came to each verdict. */
export type VerdictTally = Readonly<Record<AiVerdict, number>>;

export const NO_VERDICTS: VerdictTally = { malicious: 0, suspicious: 0, clean: 0 };
