import type { CorroborationRule } from '../domain/threat/corroboration.ts';
import type { Config } from '../settings/config.ts';

/** The settings for the corroboration of threats. */
const corroborationRule = (config: Config): CorroborationRule => ({
  minCorroboration: config.feedMinCorroboration,
  windowDays: config.feedWindowDays,
  minAgeHours: config.feedMinAgeHours,
  entriesMax: config.feedMaxEntries,
});

/** The settings that determine when and how the feed changes. */
export const feedTuning = (config: Config) => ({
  epochSeconds: config.feedEpochSeconds,
  rule: corroborationRule(config),
});
