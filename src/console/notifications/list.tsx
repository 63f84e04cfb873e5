/** @jsxImportSource hono/jsx */
import { ActFields } from '../../acts/form.tsx';
import { add } from '../../acts/notifications/acts.ts';
import { ADDRESS_CHARACTERS_MAX, DEFAULT_TYPES } from '../../domain/notification/target.ts';
import { maskedAddress } from '../../domain/notification/target-address.ts';
import type { Form } from '../../http/form.ts';
import { ActCard, Field } from '../../pages/form.tsx';
import { whole } from '../../pages/html.tsx';
import { Table } from '../../pages/table.tsx';
import { Time } from '../../pages/time.tsx';
import type { TargetRecord } from '../../storage/notifications/targets.ts';
import type { RefusedForm } from '../page-acts.ts';
import { WORDS } from './words.ts';

export const TargetBadge = ({ pausedReason, failedAt, succeededAt }: TargetRecord) => {
  if (pausedReason !== null) return <span class="badge">{WORDS.paused}</span>;
  const isFailing = (failedAt ?? 0) > (succeededAt ?? 0);
  return (
    <span class={`badge ${isFailing ? 'warn' : 'good'}`}>{isFailing ? WORDS.failing : WORDS.active}</span>
  );
};

const Moment = ({ at }: { readonly at: number | null }) =>
  at === null ? <span>{WORDS.never}</span> : <Time at={at} />;

/** Targets with their health. */
export const TargetTable = (props: {
  readonly targets: readonly TargetRecord[];
  readonly mayAct: boolean;
  pathOf(target: TargetRecord): string;
}) => (
  <Table
    label={WORDS.targets}
    columns={WORDS.columns}
    none={<p class="quiet">{WORDS.none}</p>}
    rows={props.targets.map((target) => [
      <a href={props.pathOf(target)}>{target.name}</a>,
      <span>{props.mayAct ? target.address : maskedAddress(target)}</span>,
      <TargetBadge {...target} />,
      whole(target.waiting),
      whole(target.dropped),
      <Moment at={target.succeededAt} />,
      <Moment at={target.failedAt} />,
    ])}
  />
);

const FIRST: Form = Object.fromEntries(DEFAULT_TYPES.map((type) => [`events:${type}`, '1']));

/** The form that adds a target. If it was refused, it shows the submitted values. */
export function AddCard({
  path,
  refused,
  isFirst,
}: {
  readonly path: string;
  readonly refused: RefusedForm | undefined;
  readonly isFirst: boolean;
}) {
  const typed = refused?.verb === add.verb ? refused : undefined;
  const values: Form = typed?.form ?? FIRST;
  return (
    <ActCard
      title={add.title}
      submit={add.title}
      action={`${path}/${add.verb}`}
      isOpen={isFirst || typed !== undefined}
    >
      <Field label={WORDS.name} name="name" value={values.name} max={40} required />
      <Field
        label={WORDS.address}
        name="address"
        value={values.address}
        max={ADDRESS_CHARACTERS_MAX}
        required
      />
      <ActFields act={add} words={{}} values={values} refusal={typed?.refusal} />
    </ActCard>
  );
}
