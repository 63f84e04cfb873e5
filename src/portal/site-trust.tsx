/** @jsxImportSource hono/jsx */
import type { Static } from '@sinclair/typebox';
import { type Child, Fragment } from 'hono/jsx';
import { isRefusal, type Refusal } from '../domain/refusal.ts';
import { CopyableText } from '../pages/copy.tsx';
import { Facts, Problem } from '../pages/html.tsx';
import type { Schedule } from '../routes/scan-schedule.ts';
import type { SiteTrust } from '../routes/site-trust.ts';
import { siteAddress, When } from './site-parts.tsx';
import { CONTROL, type Control } from './site-verification.tsx';
import { TEXTS } from './texts.ts';

const WORDS = TEXTS.trust;

export type Trust = Static<typeof SiteTrust>;
export type ScanSchedule = Static<typeof Schedule>;

/** Element id of the badge's card. */
export const BADGE = 'badge';
/** Returns the path of a form that sets up the badge. */
export const badgeActAddress = (siteId: string, act: 'assess' | 'show' | 'hide'): string =>
  `${siteAddress(siteId)}/badge/${act}`;

const ActForm = (props: {
  readonly siteId: string;
  readonly act: 'assess' | 'show' | 'hide';
  readonly isMain?: boolean;
}) => (
  <form method="post" action={badgeActAddress(props.siteId, props.act)}>
    <button type="submit" class={props.isMain ? undefined : 'quiet'}>
      {WORDS.acts[props.act]}
    </button>
  </form>
);

const Step = (props: { readonly isDone: boolean; readonly title: string; readonly children?: Child }) => (
  <li>
    <span class={`badge ${props.isDone ? 'good' : 'warn'}`}>{props.isDone ? WORDS.done : WORDS.open}</span>
    <span>
      <strong>{props.title}</strong>
    </span>
    <span class="acts">{props.children}</span>
  </li>
);

/** Returns the path of the badge on this host, because the page may only load its own files. */
const preview = (badgeUrl: string): string => new URL(badgeUrl).pathname;

const Shown = ({ trust }: { readonly trust: Trust }) => (
  <Fragment>
    {trust.badge_url === null ? null : (
      <p>
        <img src={preview(trust.badge_url)} alt={WORDS.preview} />
      </p>
    )}
    <Facts
      of={[
        [
          WORDS.state,
          trust.state && (
            <span class={`badge ${trust.state === 'assessed' ? 'good' : 'warn'}`}>
              {WORDS.states[trust.state]}
            </span>
          ),
        ],
        [WORDS.why, trust.problem && WORDS.problems[trust.problem]],
        [WORDS.until, trust.current_until && <When at={trust.current_until} />],
        [WORDS.page, trust.page_url && <code>{trust.page_url}</code>],
      ]}
    />
    {trust.embed_html === null ? null : (
      <Fragment>
        <p>{WORDS.code}</p>
        <CopyableText text={trust.embed_html} />
      </Fragment>
    )}
  </Fragment>
);

/** The state of the steps to a badge; refusals are shown as texts. */
export interface BadgeFacts {
  readonly siteId: string;
  readonly control: Control | Refusal;
  readonly schedule: ScanSchedule | Refusal;
  readonly trust: Trust | Refusal;
  /** The reason why a step failed. */
  readonly problem?: string | undefined;
}

/** The three steps to a badge, and its preview. */
export function TrustCard({ siteId, control, schedule, trust, problem }: BadgeFacts) {
  const isProven = !isRefusal(control) && control.state === 'verified';
  const isAssessed = !isRefusal(schedule) && schedule.scan_type === 'assessment';
  return (
    <section class="card wide" id={BADGE}>
      <h2>{WORDS.title}</h2>
      <Problem text={problem} />
      <p>{WORDS.about}</p>
      {isRefusal(trust) ? (
        <p>{trust.message}</p>
      ) : (
        <Fragment>
          <ol class="rows steps">
            <Step isDone={isProven} title={WORDS.steps.prove}>
              {isProven ? null : (
                <a class="button quiet" href={`${siteAddress(siteId)}#${CONTROL}`}>
                  {WORDS.prove}
                </a>
              )}
            </Step>
            <Step isDone={isAssessed} title={WORDS.steps.assess}>
              {isAssessed ? null : <ActForm siteId={siteId} act="assess" isMain={isProven} />}
            </Step>
            <Step isDone={trust.enabled} title={WORDS.steps.show}>
              <ActForm
                siteId={siteId}
                act={trust.enabled ? 'hide' : 'show'}
                isMain={!trust.enabled && isProven && isAssessed}
              />
            </Step>
          </ol>
          {trust.enabled ? <Shown trust={trust} /> : null}
        </Fragment>
      )}
    </section>
  );
}
