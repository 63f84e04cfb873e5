import type { CorroborationRule } from '../domain/threat/corroboration.ts';
import type { Config } from '../settings/config.ts';

/** What the settings say of the feed's corroboration. */
const corroborationRule = (config: Config): CorroborationRule => ({
  minCorroboration: config.feedMinCorroboration,
  windowDays: config.feedWindowDays,
  minAgeHours: config.feedMinAgeHours,
  entriesMax: config.feedMaxEntries,
});

/** How often the feed may change, and what of it. */
export const feedTuning = (config: Config) => ({
  epochSeconds: config.feedEpochSeconds,
  rule: corroborationRule(config),
});
