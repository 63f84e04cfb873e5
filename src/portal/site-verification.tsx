/** @jsxImportSource hono/jsx */
import type { Static } from '@sinclair/typebox';
import { Fragment } from 'hono/jsx';
import { CHECK_METHODS } from '../domain/domain-control/control.ts';
import { isRefusal, type Refusal } from '../domain/refusal.ts';
import { CopyableText } from '../pages/copy.tsx';
import { Choice } from '../pages/form.tsx';
import { Facts, Problem } from '../pages/html.tsx';
import type { Verification } from '../routes/site-verification.ts';
import { siteAddress, When } from './site-parts.tsx';
import { TEXTS } from './texts.ts';

const WORDS = TEXTS.control;

export type Control = Static<typeof Verification>;

/** Element id of the card, to which a check leads back. */
export const CONTROL = 'control';
/** Returns the path of the form that checks the domain of a site. */
export const checkAddress = (siteId: string): string => `${siteAddress(siteId)}/verification`;

const Proof = ({ control }: { readonly control: Control }) => (
  <Fragment>
    <h3>{WORDS.file}</h3>
    <CopyableText text={control.http_url} />
    <p>{WORDS.content}</p>
    <CopyableText text={control.token} />
    <h3>{WORDS.record}</h3>
    <CopyableText text={control.dns_name} />
    <p>{WORDS.value}</p>
    <CopyableText text={control.dns_value} />
  </Fragment>
);

const Known = ({ control }: { readonly control: Control }) => (
  <Facts
    of={[
      [
        WORDS.state,
        <span class={`badge ${control.state === 'verified' ? 'good' : 'warn'}`}>
          {WORDS.states[control.state]}
        </span>,
      ],
      [WORDS.method, control.verified_at && control.method && WORDS.methods[control.method]],
      [WORDS.verified, control.verified_at && <When at={control.verified_at} />],
      [WORDS.checked, <When at={control.checked_at} />],
      [WORDS.next, control.next_check_at && <When at={control.next_check_at} />],
    ]}
  />
);

/** The verification status of a site's domain, and instructions. */
export const ControlCard = ({
  siteId,
  control,
  problem,
  method,
}: {
  readonly siteId: string;
  readonly control: Control | Refusal;
  /** The problem of the check that was just requested. */
  readonly problem?: string | undefined;
  /** The method chosen for that check. */
  readonly method?: string | undefined;
}) => (
  <section class="card wide" id={CONTROL}>
    <h2>{WORDS.title}</h2>
    {isRefusal(control) ? (
      <p>{control.message}</p>
    ) : (
      <Fragment>
        <Problem
          text={
            problem ?? (control.problem === null ? undefined : WORDS.found(WORDS.problems[control.problem]))
          }
        />
        <Known control={control} />
        {control.method === 'operator' ? null : (
          <Fragment>
            <p>{WORDS.about}</p>
            <Proof control={control} />
            <form method="post" action={checkAddress(siteId)} class="form">
              <Choice
                label={WORDS.where}
                name="method"
                value={method ?? control.method ?? undefined}
                of={CHECK_METHODS.map((each) => [each, WORDS.methods[each]] as const)}
              />
              <p class="quiet">{WORDS.limit}</p>
              <button type="submit">{WORDS.submit}</button>
            </form>
          </Fragment>
        )}
      </Fragment>
    )}
  </section>
);
