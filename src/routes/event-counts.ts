import { Type } from '@sinclair/typebox';
import { t } from 'elysia';
import { BUCKET_DAYS, type DayCounts, dailyBuckets, dayName } from '../domain/rollups.ts';
import { SEVERITIES } from '../domain/severity.ts';
import { closed } from '../http/answers.ts';
import { oneOf } from '../http/fields.ts';

export const Count = Type.Integer({ minimum: 0 });
export const Score = Type.Integer({ minimum: 0, maximum: 100 });

export const SeverityName = oneOf(SEVERITIES);

/** Fields of an object that counts events by severity. */
export const severityCounts = { info: Count, low: Count, medium: Count, high: Count, critical: Count };

export const DayBuckets = t.Array(closed({ date: t.String({ format: 'date' }), ...severityCounts }), {
  minItems: BUCKET_DAYS,
  maxItems: BUCKET_DAYS,
  description: 'the last 30 UTC days, oldest first, by the moment at which the events occurred',
});

/** What is known of some days, as {@link DayBuckets}. */
export const dayBuckets = (known: readonly DayCounts[], nowMs: number) =>
  dailyBuckets(known, nowMs).map(({ day, ...counts }) => ({ date: dayName(day), ...counts }));
