import { Type as t } from '@sinclair/typebox';
import { oneOf } from '../../http/fields.ts';

// The kinds of field that a posture signal may have. There is no free text among them.

const COUNT_MAX = 1_000_000;

/** A whole number of things. */
export const count = (meaning: string) =>
  t.Optional(t.Integer({ minimum: 0, maximum: COUNT_MAX, description: `${meaning} (count)` }));

/** A share of the whole. */
export const ratio = (meaning: string) =>
  t.Optional(
    t.Number({
      minimum: 0,
      maximum: 1,
      description: `${meaning} (ratio from 0 to 1, stored with four decimals)`,
    }),
  );

export const flag = (meaning: string) => t.Optional(t.Boolean({ description: meaning }));

/** One of some classes, from best to worst where they have an order. */
export const band = <Band extends string>(meaning: string, bands: readonly Band[]) =>
  t.Optional(oneOf(bands, meaning));
