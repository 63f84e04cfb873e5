import { Type as t } from '@sinclair/typebox';
import { FEED_RULINGS, type FeedRuling } from '../../../domain/threat/feed-ruling.ts';
import { FINGERPRINT } from '../../../domain/threat/fingerprint.ts';
import { meanings, oneOf } from '../../../http/fields.ts';

export const FingerprintField = t.String({
  pattern: FINGERPRINT.source,
  description: 'fingerprint of the threat',
});

export const RulingName = oneOf(
  FEED_RULINGS,
  meanings('Ruling of an operator, independent of reports', {
    withdrawn: 'removed from the feed.',
    allowed: 'never published in the feed.',
  } satisfies Record<FeedRuling, string>),
  'FeedRuling',
);
