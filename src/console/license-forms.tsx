/** @jsxImportSource hono/jsx */
import { Fragment } from 'hono/jsx';
import { PLANS } from '../domain/license/catalog.ts';
import type { Form } from '../http/form.ts';
import type { ShownLicense } from '../operator/shown-license.ts';
import { ActCard, Check, Choice, Field } from '../pages/form.tsx';
import { ReasonField } from './fields.tsx';
import { licensePath } from './license-link.tsx';
import { NoteFields } from './license-new.tsx';
import { TEXTS } from './texts.ts';

const WORDS = TEXTS.license;
const GRACE_HOURS = '24';

/** What was typed into the form of an act that was refused. */
export interface TypedAct {
  readonly verb: string;
  readonly form: Form;
}

/**
 * What the fields of a form were when its page was made, however often it is refused since: what nobody has changed is not asked for,
 * so that another operator's change stays.
 */
const Kept = ({ was, typed }: { readonly was: Form; readonly typed: Form }) =>
  Object.entries(was).map(([name, value]) => (
    <input type="hidden" name={`was_${name}`} value={typed[`was_${name}`] ?? value} />
  ));

const TERMS = ['plan', 'sites', 'expires_at', 'daily_events', 'daily_bytes'] as const;
const NOTES = ['customer', 'email', 'external_id', 'note'] as const;

/** A license's own terms, as fields of a form; what is as the plan has it is blank. */
export type TermTexts = Readonly<Record<(typeof TERMS)[number], string>>;

/** Every act on a license, each behind its name. */
export function LicenseForms({
  license,
  terms,
  typed,
}: {
  readonly license: ShownLicense;
  readonly terms: TermTexts;
  readonly typed: TypedAct | undefined;
}) {
  const path = licensePath(license.license_id);
  const formOf = (verb: string): Form => (typed?.verb === verb ? typed.form : {});
  const card = (verb: string) => ({ action: `${path}/${verb}`, isOpen: typed?.verb === verb });
  const notes = Object.fromEntries(NOTES.map((name) => [name, license[name] ?? '']));
  // Both are of one act; each form has fields that the other has not.
  const [termsTyped, notesTyped] = ['was_plan', 'was_note'].map((field) =>
    formOf('change')[field] === undefined ? {} : formOf('change'),
  ) as [Form, Form];
  const change: Form = { ...terms, ...termsTyped };
  const [suspend, extend, rotate] = ['suspend', 'extend', 'rotate'].map(formOf) as [Form, Form, Form];
  const [bind, block, unbind, vouch] = ['bind', 'block', 'unbind', 'verify-domain'].map(formOf) as [
    Form,
    Form,
    Form,
    Form,
  ];
  const { domain: DOMAIN } = WORDS;
  const domainField = (form: Form) => (
    <Fragment>
      <Field label={DOMAIN.domain} name="domain" value={form.domain} max={253} required />
      <ReasonField value={form.reason} />
    </Fragment>
  );
  if (license.status === 'revoked') return <ForgetCard {...card('forget')} form={formOf('forget')} />;
  return (
    <Fragment>
      <ActCard {...WORDS.change} action={`${path}/change`} isOpen={termsTyped.was_plan !== undefined}>
        <Kept was={terms} typed={termsTyped} />
        <Choice label={TEXTS.newLicense.plan} name="plan" value={change.plan} of={PLANS} />
        <Field label={WORDS.change.sites} name="sites" value={change.sites} max={6} />
        <Field label={WORDS.change.ends} name="expires_at" value={change.expires_at} max={40} />
        <Field label={WORDS.change.dailyEvents} name="daily_events" value={change.daily_events} max={12} />
        <Field label={WORDS.change.dailyBytes} name="daily_bytes" value={change.daily_bytes} max={12} />
        <Check
          label={WORDS.change.clearModules}
          name="clear_modules"
          checked={change.clear_modules === '1'}
        />
        <Field label={WORDS.change.allowModules} name="allow_modules" value={change.allow_modules} />
        <Field label={WORDS.change.denyModules} name="deny_modules" value={change.deny_modules} />
        <ReasonField value={change.reason} />
      </ActCard>
      <ActCard
        {...card('extend')}
        title={WORDS.extend.title}
        about={WORDS.extend.about}
        submit={WORDS.extend.submit}
      >
        <Choice label={WORDS.extend.by} name="days" value={extend.days ?? '365'} of={WORDS.extend.periods} />
        <ReasonField value={extend.reason} />
      </ActCard>
      <ActCard {...WORDS.notes} action={`${path}/change`} isOpen={notesTyped.was_note !== undefined}>
        <Kept was={notes} typed={notesTyped} />
        <NoteFields form={{ ...notes, ...notesTyped }} />
        <ReasonField value={notesTyped.reason} />
      </ActCard>
      <ActCard
        {...card('rotate')}
        title={WORDS.rotate.title}
        about={WORDS.rotate.about}
        ask={WORDS.rotate.ask}
        submit={WORDS.rotate.submit}
      >
        <Field
          label={WORDS.rotate.grace}
          name="grace_hours"
          value={rotate.grace_hours ?? GRACE_HOURS}
          max={3}
          required
        />
        <ReasonField value={rotate.reason} />
      </ActCard>
      <ActCard
        {...card('suspend')}
        title={WORDS.suspend.title}
        about={WORDS.suspend.about}
        ask={WORDS.suspend.ask}
        submit={WORDS.suspend.submit}
      >
        <Choice label={WORDS.suspend.hold} name="hold" value={suspend.hold} of={WORDS.suspend.holds} />
        <ReasonField value={suspend.reason} required />
      </ActCard>
      {license.holds.length === 0 && license.payment_hold_from === null ? null : (
        <ActCard {...card('resume')} {...WORDS.resume}>
          <Choice
            label={WORDS.suspend.hold}
            name="hold"
            value={formOf('resume').hold ?? license.holds[0] ?? 'payment'}
            of={WORDS.suspend.holds}
          />
          <ReasonField value={formOf('resume').reason} />
        </ActCard>
      )}
      <ActCard {...card('bind')} title={DOMAIN.bind} submit={DOMAIN.bind}>
        {domainField(bind)}
      </ActCard>
      <ActCard
        {...card('unbind')}
        title={DOMAIN.unbind}
        about={DOMAIN.unbindAbout}
        submit={DOMAIN.unbindSubmit}
      >
        {domainField(unbind)}
      </ActCard>
      <ActCard {...card('block')} title={DOMAIN.block} about={DOMAIN.blockAbout} submit={DOMAIN.block}>
        {domainField(block)}
      </ActCard>
      <ActCard
        {...card('verify-domain')}
        title={DOMAIN.vouch}
        about={DOMAIN.vouchAbout}
        submit={DOMAIN.vouchSubmit}
      >
        {domainField(vouch)}
        <Check label={DOMAIN.withdraw} name="withdraw" checked={vouch.withdraw === '1'} />
      </ActCard>
      <ActCard
        {...card('revoke')}
        title={WORDS.revoke.title}
        about={WORDS.revoke.about}
        ask={WORDS.revoke.ask}
        submit={WORDS.revoke.submit}
        isFinal
      >
        <ReasonField value={formOf('revoke').reason} required />
        <Check label={WORDS.revoke.sure} name="sure" required />
      </ActCard>
      <ForgetCard {...card('forget')} form={formOf('forget')} />
    </Fragment>
  );
}

/** Also of what was revoked. */
const ForgetCard = ({ form, ...card }: { action: string; isOpen: boolean; form: Form }) => (
  <ActCard
    {...card}
    title={WORDS.forget.title}
    about={WORDS.forget.about}
    ask={WORDS.forget.ask}
    submit={WORDS.forget.submit}
    isFinal
  >
    <ReasonField value={form.reason} />
    <Check label={WORDS.forget.sure} name="sure" required />
  </ActCard>
);
