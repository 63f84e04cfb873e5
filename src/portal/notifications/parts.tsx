/** @jsxImportSource hono/jsx */
import type { Static } from '@sinclair/typebox';
import { ADDRESS_CHARACTERS_MAX, TARGET_FORMATS, TENANT_TYPES } from '../../domain/notification/target.ts';
import { SEVERITIES } from '../../domain/severity.ts';
import type { Form } from '../../http/form.ts';
import { ActCard, Check, Choice, Field } from '../../pages/form.tsx';
import { whole } from '../../pages/html.tsx';
import { Table } from '../../pages/table.tsx';
import type { TargetList } from '../../routes/notifications.ts';
import { PLACES } from '../places.ts';
import { When } from '../site-parts.tsx';
import { WORDS } from './words.ts';

const { path: PATH } = PLACES.notifications;
type Target = Static<typeof TargetList>['targets'][number];
type Action = keyof typeof WORDS.actions;

const isAsked = (action: Action): action is keyof typeof WORDS.ask => action in WORDS.ask;

const wordsOf = (action: Action, { paused_reason: reason }: Target): string =>
  action === 'test' && reason === 'unconfirmed' ? WORDS.sendAgain : WORDS.actions[action];

const ActionButton = ({ action, target }: { readonly action: Action; readonly target: Target }) => (
  <form
    method="post"
    action={`${PATH}/${target.id}/${action}`}
    class="acts"
    data-ask={isAsked(action) ? WORDS.ask[action](target.name) : undefined}
  >
    <button type="submit" class="quiet" aria-label={`${wordsOf(action, target)}: ${target.name}`}>
      {wordsOf(action, target)}
    </button>
  </form>
);

/**
 * Returns the possible actions on a target. Without the plan, or if notifications are turned off, it can only be paused and
 * removed.
 */
function actionsOn(
  { paused_at: pausedAt, paused_reason: reason, kind, format }: Target,
  mayUse: boolean,
): readonly Action[] {
  const isPaused = pausedAt !== null;
  if (reason === 'recipient') return ['remove'];
  if (reason === 'unconfirmed') return mayUse ? ['test', 'remove'] : ['remove'];
  return [
    ...(mayUse ? (['test'] as const) : []),
    ...(isPaused ? [] : (['pause'] as const)),
    ...(isPaused && mayUse ? (['resume'] as const) : []),
    ...(mayUse && kind === 'webhook' && format === TARGET_FORMATS.webhook[0] ? (['rotate'] as const) : []),
    'remove',
  ];
}

const Moment = ({ at }: { readonly at: string | null }) =>
  at === null ? <span>{WORDS.never}</span> : <When at={at} />;

/** The targets of a tenant with their health. */
export const TargetTable = (props: { readonly targets: readonly Target[]; readonly mayUse: boolean }) => (
  <Table
    label={WORDS.targets}
    columns={WORDS.columns}
    none={<p class="quiet">{WORDS.none}</p>}
    rows={props.targets.map((target) => [
      target.name,
      <span>{target.address}</span>,
      <span class={`badge ${target.paused_reason === null ? 'good' : 'warn'}`}>
        {target.paused_reason === null ? WORDS.active : WORDS.pausedBy[target.paused_reason]}
      </span>,
      whole(target.waiting),
      <Moment at={target.last_success_at} />,
      <span title={target.last_error ?? undefined}>
        <Moment at={target.last_error_at} />
      </span>,
      <div class="acts">
        {actionsOn(target, props.mayUse).map((action) => (
          <ActionButton action={action} target={target} />
        ))}
      </div>,
    ])}
  />
);

export const AddCard = ({ form, isOpen }: { readonly form: Form | undefined; readonly isOpen: boolean }) => (
  <div class="cards">
    <ActCard title={WORDS.add} submit={WORDS.add} action={PATH} isOpen={isOpen}>
      <Field label={WORDS.name} name="name" value={form?.name} max={40} required />
      <Field
        label={WORDS.address}
        name="address"
        value={form?.address}
        max={ADDRESS_CHARACTERS_MAX}
        required
      />
      <Choice
        label={WORDS.format}
        name="format"
        value={form?.format}
        none={WORDS.formatDefault}
        of={TARGET_FORMATS.webhook}
      />
      <Choice label={WORDS.minSeverity} name="min_severity" value={form?.min_severity} of={SEVERITIES} />
      <Field label={WORDS.digest} name="digest_minutes" value={form?.digest_minutes} max={5} />
      <details>
        <summary>{WORDS.events}</summary>
        {TENANT_TYPES.map((type) => (
          <Check
            label={type}
            name={`events:${type}`}
            checked={form === undefined || form[`events:${type}`] === '1'}
          />
        ))}
      </details>
    </ActCard>
  </div>
);
