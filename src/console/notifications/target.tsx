/** @jsxImportSource hono/jsx */
import { Fragment } from 'hono/jsx';
import { ActButton, ActForms } from '../../acts/form.tsx';
import { pause, remove, replay, resume, rotate, test } from '../../acts/notifications/acts.ts';
import { maskedAddress } from '../../domain/notification/target-address.ts';
import { MINUTE_MS } from '../../lib/clock.ts';
import { isSigned } from '../../operator/notifications/add-target.ts';
import { Facts, whole } from '../../pages/html.tsx';
import { TableCard } from '../../pages/table.tsx';
import { Time } from '../../pages/time.tsx';
import type { Attempt } from '../../storage/notifications/delivery-attempts.ts';
import type { TargetRecord } from '../../storage/notifications/targets.ts';
import { LicenseLink } from '../license-link.tsx';
import type { RefusedForm } from '../page-acts.ts';
import { TargetBadge } from './list.tsx';
import { WORDS } from './words.ts';

/** Forms identify their target by id, because targets of different tenants can have the same name. */
const formOf = ({ publicId }: TargetRecord) => ({ target: publicId });

/** The buttons next to the name of a target. */
export function TargetActions({ path, target }: { readonly path: string; readonly target: TargetRecord }) {
  const on = { path, subject: target.name, target: formOf(target) };
  const isOver = target.pausedReason === 'recipient';
  const isUnconfirmed = target.pausedReason === 'unconfirmed';
  return (
    <Fragment>
      {isOver ? null : <ActButton act={test} {...on} isMain />}
      {target.pausedAt === null ? <ActButton act={pause} {...on} /> : null}
      {target.pausedAt === null || isOver || isUnconfirmed ? null : <ActButton act={resume} {...on} />}
      {isSigned(target.kind, target.format) ? <ActButton act={rotate} {...on} /> : null}
      <ActButton act={remove} {...on} />
    </Fragment>
  );
}

const Health = ({ target }: { readonly target: TargetRecord }) => (
  <section class="card">
    <h2>{WORDS.health}</h2>
    <Facts
      of={[
        [WORDS.state, <TargetBadge {...target} />],
        [WORDS.why, target.pausedReason && WORDS.pausedBy[target.pausedReason]],
        [WORDS.since, target.pausedAt && <Time at={target.pausedAt} />],
        [WORDS.waiting, whole(target.waiting)],
        [WORDS.dropped, whole(target.dropped)],
        [WORDS.lastSuccess, target.succeededAt === null ? WORDS.never : <Time at={target.succeededAt} />],
        [WORDS.lastError, target.failedAt === null ? WORDS.never : <Time at={target.failedAt} />],
        [WORDS.why, target.failure],
      ]}
    />
  </section>
);

const Terms = ({ target, mayAct }: { readonly target: TargetRecord; readonly mayAct: boolean }) => (
  <section class="card half">
    <h2>{WORDS.terms}</h2>
    <Facts
      of={[
        [WORDS.kinds[target.kind], mayAct ? target.address : maskedAddress(target)],
        [WORDS.format, target.format],
        [WORDS.minSeverity, target.minSeverity],
        [WORDS.digest, WORDS.digestWords(Math.round(target.digestMs / MINUTE_MS))],
        [WORDS.tenant, target.licenseId && <LicenseLink id={target.licenseId} />],
        [
          WORDS.licenses,
          target.licenses.length === 0
            ? null
            : target.licenses.map((id) => (
                <Fragment>
                  <LicenseLink id={id} />{' '}
                </Fragment>
              )),
        ],
        [
          WORDS.customers,
          target.customers.length === 0
            ? null
            : mayAct
              ? target.customers.join(', ')
              : whole(target.customers.length),
        ],
        [WORDS.personal, WORDS.personalWords[target.isPersonalIncluded ? 'yes' : 'no']],
        [WORDS.ca, target.ca === null ? null : WORDS.ownCa],
        [WORDS.added, <Time at={target.createdAt} />],
      ]}
    />
    <details>
      <summary>{`${WORDS.events}: ${whole(target.events.length)}`}</summary>
      <ul class="facts">
        {target.events.map((type) => (
          <li>{type}</li>
        ))}
      </ul>
    </details>
  </section>
);

const rowOf = ({ at, event, type, events, attempt, outcome, status, latencyMs, reason }: Attempt) => [
  <Time at={at} />,
  <code>{event}</code>,
  type + WORDS.more(events),
  whole(attempt),
  <span class={`badge ${outcome === 'delivered' ? 'good' : 'warn'}`} title={reason ?? undefined}>
    {WORDS.outcomes[outcome]}
  </span>,
  status === null ? '' : String(status),
  WORDS.ms(latencyMs),
];

/** A target with its health, filters and last deliveries. */
export const TargetView = (props: {
  readonly path: string;
  readonly target: TargetRecord;
  readonly attempts: readonly Attempt[];
  readonly mayAct: boolean;
  readonly refused: RefusedForm | undefined;
}) => (
  <div class="cards">
    <Health target={props.target} />
    <Terms target={props.target} mayAct={props.mayAct} />
    {props.mayAct ? (
      <ActForms act={replay} path={props.path} typed={props.refused}>
        <input type="hidden" name="target" value={props.target.publicId} />
      </ActForms>
    ) : null}
    <TableCard
      label={WORDS.deliveries}
      none={WORDS.noDeliveries}
      columns={WORDS.deliveryColumns}
      rows={props.attempts.map(rowOf)}
      head={1}
    />
  </div>
);
