import { Type as t } from '@sinclair/typebox';
import { oneOf } from '../../http/fields.ts';

// The field types of posture signals. Free text is not one of them.

const COUNT_MAX = 1_000_000;

export const count = (meaning: string) =>
  t.Optional(t.Integer({ minimum: 0, maximum: COUNT_MAX, description: `${meaning} (count)` }));

/** A fraction from 0 to 1. */
export const ratio = (meaning: string) =>
  t.Optional(
    t.Number({
      minimum: 0,
      maximum: 1,
      description: `${meaning} (ratio from 0 to 1, stored with four decimals)`,
    }),
  );

export const flag = (meaning: string) => t.Optional(t.Boolean({ description: meaning }));

/** One of several classes, from best to worst if they are ordered. */
export const band = <Band extends string>(meaning: string, bands: readonly Band[]) =>
  t.Optional(oneOf(bands, meaning));
