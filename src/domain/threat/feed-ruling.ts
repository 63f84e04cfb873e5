/**
 * What an operator has ruled about a threat, whoever reports it. Of either kind it stays out of the feed until that is taken back:
 * `withdrawn` because it was in the feed and should not have been, `allowed` because it is never to get there.
 */
export const FEED_RULINGS = ['withdrawn', 'allowed'] as const;

export type FeedRuling = (typeof FEED_RULINGS)[number];
