/** @jsxImportSource hono/jsx */
import { Fragment } from 'hono/jsx';
import { encode } from 'uqr';
import { hashBearerSecret, newBearerSecret } from '../domain/admin/bearer-secret.ts';
import { passwordProblem, preparedPassword, ROLES, SESSION_MS } from '../domain/admin/operator.ts';
import { openSecret } from '../domain/admin/sealed-secret.ts';
import { otpauthAddress } from '../domain/admin/totp.ts';
import type { DerivedIdentities } from '../domain/identity.ts';
import { isRefusal, type RefusalCode, refuse } from '../domain/refusal.ts';
import type { Form } from '../http/form.ts';
import { getAt, postAt } from '../http/route/endpoint.ts';
import { base32 } from '../lib/base32.ts';
import { hashPassword } from '../lib/password-hash.ts';
import {
  beginSecondFactor,
  changePassword,
  endOtherSessions,
  renewRecoveryCodes,
  turnOffSecondFactor,
  turnOnSecondFactor,
} from '../operator/account.ts';
import type { Act, PlannedAct, RefusedAct } from '../operator/act.ts';
import { goTo, noteWait, Problem } from '../pages/html.tsx';
import { Table } from '../pages/table.tsx';
import { Time } from '../pages/time.tsx';
import type { ActingParts } from '../routes/admin/fields/act.ts';
import type { Parts } from '../routes/parts.ts';
import type { RenewedSession } from '../storage/operators/operator-jobs.ts';
import type { readSecondFactor } from '../storage/operators/second-factors.ts';
import { createActs } from './act.ts';
import { isConfirmed } from './confirm.tsx';
import { CodeField, PasswordField } from './fields.tsx';
import { showPage } from './show-page.tsx';
import { TEXTS } from './texts.ts';
import {
  acting,
  askingOf,
  needsSecondFactor,
  ACCOUNT as PATH,
  page,
  renewVisit,
  type Visit,
  type VisitParts,
} from './visit.ts';

const WORDS = TEXTS.account;

/** Always black on white with a border, also in the dark theme: cameras need the contrast. */
function QrCode({ text }: { readonly text: string }) {
  const { data, size } = encode(text, { border: 4 });
  const path = data
    .flatMap((row, y) => row.map((isBlack, x) => (isBlack ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={WORDS.picture}>
      <title>{WORDS.picture}</title>
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" shape-rendering="crispEdges" />
    </svg>
  );
}

const BeginForm = ({
  asksPassword,
  isAgain,
}: {
  readonly asksPassword: boolean;
  readonly isAgain: boolean;
}) => (
  <form method="post" action={`${PATH}/begin`} class="form">
    {asksPassword ? <PasswordField words={WORDS.present} /> : null}
    <button type="submit" class={isAgain ? 'quiet' : undefined}>
      {isAgain ? WORDS.beginAgain : WORDS.begin}
    </button>
  </form>
);

/** Shows an unconfirmed secret, and asks for a code as proof. */
const Proof = ({ secret, name }: { readonly secret: Uint8Array; readonly name: string }) => (
  <Fragment>
    <p>{WORDS.scan}</p>
    <QrCode text={otpauthAddress(secret, name)} />
    <p>
      <a href={otpauthAddress(secret, name)}>{WORDS.link}</a>
    </p>
    <p>
      {`${WORDS.secret}: `}
      <code>{base32(secret).match(/.{4}/g)?.join(' ')}</code>
    </p>
    <form method="post" action={`${PATH}/prove`} class="form">
      <CodeField words={WORDS.code} />
      <button type="submit">{WORDS.prove}</button>
    </form>
  </Fragment>
);

/** Actions for an active second factor. */
const OnForms = ({ mayEnd }: { readonly mayEnd: boolean }) => (
  <Fragment>
    <p>{WORDS.isOn}</p>
    <form method="post" action={`${PATH}/recovery-codes`} class="form">
      <h3>{WORDS.renewCodes}</h3>
      <p class="quiet">{WORDS.renewWhy}</p>
      <PasswordField words={WORDS.present} />
      <button type="submit">{WORDS.renewCodes}</button>
    </form>
    {mayEnd ? (
      <form method="post" action={`${PATH}/off`} class="form">
        <h3>{WORDS.off}</h3>
        <PasswordField words={WORDS.present} />
        <CodeField words={WORDS.codeOf} />
        <button type="submit" class="quiet">
          {WORDS.off}
        </button>
      </form>
    ) : null}
  </Fragment>
);

const PasswordForm = ({ name }: { readonly name: string }) => (
  <form method="post" action={`${PATH}/password`} class="form">
    <h2>{WORDS.changePassword}</h2>
    <input name="username" value={name} autocomplete="username" hidden />
    <PasswordField words={WORDS.present} />
    <PasswordField words={WORDS.chosen} name="chosen" isNew />
    <p class="quiet">{TEXTS.welcome.rule}</p>
    <PasswordField words={TEXTS.welcome.again} name="again" isNew />
    <button type="submit">{WORDS.changePassword}</button>
  </form>
);

function Sessions({
  sessions,
  own,
}: {
  readonly sessions: readonly { tokenHash: string; startedAt: number }[];
  readonly own: string;
}) {
  return (
    <section class="card wide">
      <h2>{WORDS.sessions}</h2>
      <Table label={WORDS.sessions} columns={[WORDS.begun, WORDS.which]}>
        {sessions.map(({ tokenHash, startedAt }) => (
          <tr>
            <td>
              <Time at={startedAt} />
            </td>
            <td>{tokenHash === own ? WORDS.thisOne : WORDS.otherOne}</td>
          </tr>
        ))}
      </Table>
      <form method="post" action={`${PATH}/end-others`}>
        <button type="submit" class="quiet">
          {WORDS.endOthers}
        </button>
      </form>
    </section>
  );
}

const Codes = ({ codes }: { readonly codes: readonly string[] }) => (
  <div class="notice good" role="status">
    <strong>{WORDS.codes}</strong>
    {WORDS.codesAre}
    <pre>{codes.join('\n')}</pre>
  </div>
);

interface AccountParts
  extends VisitParts,
    ActingParts,
    Parts<'addressOf' | 'noteFailedSignIn' | 'operators'> {
  readonly identities: Pick<DerivedIdentities, 'secondFactorKey'>;
  readonly secondFactorOf: ReturnType<typeof readSecondFactor>;
}

/** The page with the operator's password, second factor and sessions. */
export const accountPages = (parts: AccountParts) => {
  const { config, clock, identities, operators, secondFactorOf, signIn } = parts;
  const act = createActs(parts);
  const { secondFactorKey: key } = identities;

  const show = async (
    visit: Visit,
    { problem, codes }: { problem?: string; codes?: readonly string[] } = {},
    refused?: RefusalCode,
  ) => {
    const { token, set } = visit;
    const operator = { ...visit.operator, ...(await signIn.sessionOf(token))?.operator };
    const { id, name, role, hasSecondFactor } = operator;
    const { sealed = null } = hasSecondFactor ? {} : ((await secondFactorOf(id)) ?? {});
    const secret = sealed === null ? undefined : openSecret(key, id, sealed);
    const isNeeded = needsSecondFactor(parts, { operator });
    const usesProvider = operator.oidcSubject !== null;
    const sessions = await operators.sessionsOf(id, clock.now() - SESSION_MS);
    return showPage(
      set,
      {
        title: WORDS.title,
        operator,
        children: (
          <Fragment>
            <Problem text={problem} />
            {codes ? <Codes codes={codes} /> : null}
            <p>{WORDS.who(name, TEXTS.roles[role])}</p>
            {isNeeded ? <p class="notice warn">{WORDS.required}</p> : null}
            <div class="cards">
              {usesProvider ? (
                <p class="card">{TEXTS.oidc.account}</p>
              ) : (
                <section class="card">
                  <h2>{WORDS.secondFactor}</h2>
                  {hasSecondFactor ? <OnForms mayEnd={!config.admin2fa} /> : <p>{WORDS.why}</p>}
                  {secret ? <Proof secret={secret} name={name} /> : null}
                  {hasSecondFactor ? null : (
                    <BeginForm asksPassword={!isConfirmed(parts, visit)} isAgain={secret !== undefined} />
                  )}
                </section>
              )}
              {isNeeded ? null : (
                <Fragment>
                  {usesProvider ? null : (
                    <section class="card">
                      <PasswordForm name={name} />
                    </section>
                  )}
                  <Sessions sessions={sessions} own={hashBearerSecret(token)} />
                </Fragment>
              )}
            </div>
          </Fragment>
        ),
      },
      refused,
    );
  };

  /** @throws Refusal */
  const confirm = async (visit: Visit, { password = '' }: Form) => {
    const attempt = { name: visit.operator.name, password, hasSession: true, ...askingOf(parts, visit) };
    renewVisit(parts, visit, await signIn.confirm(visit.token, attempt));
  };
  const required = (visit: Visit) => signIn.required(visit.token, ROLES);

  /** @throws Refusal */
  const done = async <Plan extends PlannedAct>(
    visit: Visit,
    plan: (act: Act) => Plan | RefusedAct | Promise<Plan | RefusedAct>,
  ): Promise<Plan | undefined> => {
    const outcome = await act(visit, {
      form: {},
      role: 'viewer',
      plan: async (by) => {
        const planned = await plan(by);
        return 'refused' in planned ? planned : { ...planned, holdsAnyway: true as const };
      },
    });
    if (isRefusal(outcome)) throw outcome;
    return outcome.plan;
  };

  /** Like `done`, for acts that replace the token of the session. */
  const renewing = async <Plan extends PlannedAct>(
    visit: Visit,
    plan: (act: Act, tokens: RenewedSession) => Plan | RefusedAct | Promise<Plan | RefusedAct>,
  ): Promise<Plan | undefined> => {
    const { secret, secretHash: renewedHash } = newBearerSecret();
    const tokens = { tokenHash: hashBearerSecret(visit.token), renewedHash };
    const planned = await done(visit, (act) => plan(act, tokens));
    renewVisit(parts, visit, secret);
    return planned;
  };

  type Done = { readonly codes?: readonly string[] } | undefined;
  const ACTS: Readonly<Record<string, (visit: Visit, form: Form) => Promise<Done>>> = {
    begin: async (visit, form) => {
      if (!isConfirmed(parts, visit)) await confirm(visit, form);
      await done(visit, () => beginSecondFactor(visit.operator, key));
      return undefined;
    },
    prove: (visit, { code = '' }) =>
      renewing(visit, async (act, tokens) => {
        const { sealed = null } = (await secondFactorOf(visit.operator.id)) ?? {};
        return turnOnSecondFactor(visit.operator, sealed, { key, code, ...tokens }, act);
      }),
    'recovery-codes': async (visit, form) => {
      await confirm(visit, form);
      return done(visit, (act) => renewRecoveryCodes(visit.operator, act));
    },
    off: async (visit, form) => {
      if (config.admin2fa) throw refuse('ACT_REFUSED', WORDS.required);
      await confirm(visit, form);
      await signIn.withCode(visit.operator, form.code ?? '', askingOf(parts, visit), (act, { job }) => {
        const { jobs } = turnOffSecondFactor(visit.operator, act);
        return { jobs: [required(visit), job, ...jobs] };
      });
      return undefined;
    },
    password: async (visit, form) => {
      const { chosen = '', again = '' } = form;
      const differ = chosen === again ? undefined : TEXTS.welcome.differ;
      const problem = passwordProblem(chosen, visit.operator.name) ?? differ;
      if (problem !== undefined) throw refuse('INVALID_PAYLOAD', problem);
      await confirm(visit, form);
      const passwordHash = await hashPassword(preparedPassword(chosen));
      if (passwordHash === undefined) throw refuse('STORE_UNAVAILABLE', TEXTS.failed, 1);
      await renewing(visit, (act, tokens) =>
        changePassword(visit.operator, { passwordHash, ...tokens }, act),
      );
      return undefined;
    },
    'end-others': async (visit) => {
      await done(visit, (act) => endOtherSessions(visit.operator, hashBearerSecret(visit.token), act));
      return undefined;
    },
  };
  /** Acts allowed to operators who still have to set up the required second factor. */
  const WITHOUT_SECOND_FACTOR = new Set(['begin', 'prove']);

  const acted = (name: string, perform: (typeof ACTS)[string]) => async (visit: Visit, form: Form) => {
    try {
      if (visit.operator.oidcSubject !== null && name !== 'end-others')
        throw refuse('ACT_REFUSED', TEXTS.oidc.account);
      const { codes } = (await perform(visit, form)) ?? {};
      return codes ? show(visit, { codes }) : goTo(visit.set, PATH);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      noteWait(visit.set, error);
      return show(visit, { problem: error.message }, error.refused);
    }
  };

  return [
    getAt(PATH, page(parts, 'viewer', show, true)),
    ...Object.entries(ACTS).map(([name, perform]) =>
      postAt(
        `${PATH}/${name}`,
        acting(parts, 'viewer', acted(name, perform), { isForAll: WITHOUT_SECOND_FACTOR.has(name) }),
      ),
    ),
  ];
};
