import { Type } from '@sinclair/typebox';
import { t } from 'elysia';
import { BUCKET_DAYS, type DayCounts, dailyBuckets, dayName } from '../domain/rollups.ts';
import { SEVERITIES } from '../domain/severity.ts';
import { closed } from '../http/answers.ts';
import { oneOf } from '../http/fields.ts';

export const count = (description: string) => Type.Integer({ minimum: 0, description });
/** Whole points of a hundred. */
export const score = (description: string) => Type.Integer({ minimum: 0, maximum: 100, description });

export const SeverityName = oneOf(SEVERITIES, 'from least to most severe');

/** Fields of an object that counts events by severity. */
const ofSeverity = count('events of this severity');
export const severityCounts = {
  info: ofSeverity,
  low: ofSeverity,
  medium: ofSeverity,
  high: ofSeverity,
  critical: ofSeverity,
};

export const DayBuckets = t.Array(
  closed({ date: t.String({ format: 'date', description: 'a UTC day' }), ...severityCounts }),
  {
    minItems: BUCKET_DAYS,
    maxItems: BUCKET_DAYS,
    description: 'the last 30 UTC days, oldest first, by the moment at which the events occurred',
  },
);

/** What is known of some days, as {@link DayBuckets}. */
export const dayBuckets = (known: readonly DayCounts[], nowMs: number) =>
  dailyBuckets(known, nowMs).map(({ day, ...counts }) => ({ date: dayName(day), ...counts }));
