import { type TLiteral, type TProperties, type TSchema, Type as t } from '@sinclair/typebox';
import type { Refusal } from '../../domain/refusal.ts';
import { bodySchema } from '../../http/body.ts';
import { timestamp, typed } from '../../http/contract/answers.ts';
import { hashToken, OVERRIDDEN, PRIVACY_FLAGS_EXAMPLE, privacyFlags } from '../../http/fields.ts';
import { iso } from '../../lib/clock.ts';
import type { Receipt, Signal } from './signal.ts';

/** The definition of one posture signal, without the parts common to all. */
export interface PostureGroup extends Omit<Signal, 'body' | 'answer' | 'answered' | 'receive'> {
  /** The allowed measurements. Senders omit those that they did not take. */
  readonly vocabulary: TProperties;
  /** A plausible body, without the privacy flags. */
  readonly example: Readonly<Record<string, unknown>>;
  /** Schema of the identity field in the body, which `bind` then checks. By default the sent value is overridden unchecked. */
  readonly identityField?: TSchema;
  readonly bind?: (sent: unknown, receipt: Receipt) => Refusal | undefined;
  /** Further fields of the acknowledgement. */
  readonly acknowledges?: Readonly<Record<string, TLiteral<string>>>;
}

const head = {
  ...privacyFlags,
  agentVersion: t.Optional(
    t.String({
      pattern:
        '^v?(0|[1-9][0-9]{0,3})(\\.(0|[1-9][0-9]{0,3})(\\.(0|[1-9][0-9]{0,4}))?)?' +
        '(-(alpha|beta|canary|dev|nightly|pre|preview|rc|RC|snapshot)(\\.?[0-9]{1,3})?)?(\\+[0-9a-f]{1,9})?$',
      description:
        'version of the sending agent: up to three numbers (four would be an IP address), none as long as a telephone number; optionally a stage such as `rc.1` and up to nine hexadecimal digits of the build',
    }),
  ),
  collectedAt: t.Optional(
    t.String({
      format: 'date-time',
      // `format` alone accepts dates with a comment: `Fri Nov 20 2026 08:30:00 GMT+0000 (anything)`.
      pattern:
        '^20[0-9]{2}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,9})?(Z|[+-][01][0-9]:[0-5][0-9])$',
      description: 'time of measurement (RFC 3339); stored in UTC with milliseconds',
    }),
  ),
};

/** Creates a signal that is stored as measured, with the derived identity, and acknowledged without an assessment. */
export function postureSignal({
  vocabulary,
  example,
  identityField = hashToken(OVERRIDDEN),
  bind = () => undefined,
  acknowledges = {},
  ...group
}: PostureGroup): Signal {
  const { name, persistence, identity } = group;
  const constants = Object.fromEntries(
    Object.entries(acknowledges).map(([name, literal]) => [name, literal.const]),
  );
  const body = bodySchema(
    name,
    { ...head, [identity]: t.Optional(identityField), ...vocabulary },
    {
      ...PRIVACY_FLAGS_EXAMPLE,
      agentVersion: '2.4.1',
      collectedAt: '2026-11-20T08:30:00.000Z',
      ...example,
    },
  );
  const answer = typed(`${name}Ack`, {
    accepted: t.Literal(true, { description: 'true once the signal is on disk' }),
    persistence: t.Literal(persistence, { description: PERSISTENCE[persistence] }),
    receivedAt: timestamp('time of receipt'),
    ...acknowledges,
  });
  return {
    ...group,
    body,
    answer,
    answered: {
      description: `Returned once the signal is on disk (${PERSISTENCE[persistence]}).`,
      example: { accepted: true, persistence, receivedAt: '2026-11-22T09:30:00.000Z', ...constants },
    },
    receive: (sent, receipt) =>
      bind(sent[identity], receipt) ?? {
        record: { ...asMeasured(sent), [identity]: receipt.identity },
        answer: { accepted: true, persistence, receivedAt: receipt.receivedAt, ...constants },
      },
  };
}

/** Rounds numbers and times, because surplus digits could encode a telephone or card number. */
const asMeasured = (sent: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(
    Object.entries(sent).map(([name, value]) => {
      if (typeof value === 'number') return [name, Math.round(value * RATIO_STEPS) / RATIO_STEPS];
      return [name, name === 'collectedAt' ? iso(Date.parse(String(value))) : value];
    }),
  );

/** Ratios are stored with four decimals. Counts are integers. */
const RATIO_STEPS = 10_000;

const PERSISTENCE = {
  stored: 'added to earlier signals, for the retention period',
  replaced: 'replaces the previous signal of this license',
};
