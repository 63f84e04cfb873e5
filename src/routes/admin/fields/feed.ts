import { t } from 'elysia';
import { FEED_RULINGS, type FeedRuling } from '../../../domain/threat/feed-ruling.ts';
import { FINGERPRINT } from '../../../domain/threat/fingerprint.ts';
import { meanings, oneOf } from '../../../http/fields.ts';

export const FingerprintField = t.String({
  pattern: FINGERPRINT.source,
  description: 'what the feed calls a threat',
});

export const RulingName = oneOf(
  FEED_RULINGS,
  meanings('What an operator has ruled about a threat, whoever reports it', {
    withdrawn: 'it was taken out of the feed.',
    allowed: 'it is never to get there.',
  } satisfies Record<FeedRuling, string>),
  'FeedRuling',
);
