/**
 * An operator's ruling on a threat, for all reporters. Both kinds exclude it from the feed until they are removed: `withdrawn`
 * because it was wrongly in the feed, `allowed` because it must never be.
 */
export const FEED_RULINGS = ['withdrawn', 'allowed'] as const;

export type FeedRuling = (typeof FEED_RULINGS)[number];
