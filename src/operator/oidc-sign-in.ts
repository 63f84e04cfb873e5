import { hashBearerSecret, newBearerSecret } from '../domain/admin/bearer-secret.ts';
import { groupsAt, nameOfPerson, roleOfGroups } from '../domain/admin/identity-claims.ts';
import { type Role, SESSION_MS } from '../domain/admin/operator.ts';
import { isRefusal, notRefused, refuse } from '../domain/refusal.ts';
import { type Clock, MINUTE_MS } from '../lib/clock.ts';
import { RecentUses } from '../lib/recent-uses.ts';
import { Seats } from '../lib/seats.ts';
import { setBounded } from '../lib/set-bounded.ts';
import { CLOCK_SKEW_MS, type OidcFlow, type OidcPerson, type OidcProvider } from '../outside/oidc/flow.ts';
import { OidcFault } from '../outside/oidc/oidc-fault.ts';
import type { OidcSettings } from '../settings/oidc.ts';
import type { Job } from '../storage/engine/jobs/jobs.ts';
import type { Writer } from '../storage/engine/writer.ts';
import type { IdentitySession } from '../storage/operators/operator-jobs.ts';
import type { OidcIdentity, Operator, readOperators } from '../storage/operators/operators.ts';
import { type Act, audited } from './act.ts';
import type { ActDesk } from './act-desk.ts';
import { OPERATORS_MAX, operatorSubject } from './operators.ts';
import type { Asking, SignIn } from './sign-in.ts';

/** The time limit at the provider, in milliseconds. */
export const FLOW_MS = 10 * MINUTE_MS;
const AT_ONCE_MAX = 16;
/** Tokens that sign-out sends back. A longer one has more groups than an address can hold. */
const TOKENS_KEPT_MAX = 1_000;
const TOKEN_CHARACTERS_MAX = 4_096;

export interface OidcSignInParts {
  readonly settings: OidcSettings;
  readonly provider: OidcProvider;
  readonly signIn: Pick<SignIn, 'drawFrom' | 'auditFailure'>;
  readonly operators: Pick<ReturnType<typeof readOperators>, 'all' | 'findByIdentity' | 'findSession'>;
  readonly desk: ActDesk;
  readonly writer: Pick<Writer, 'write'>;
  readonly clock: Clock;
}

/** A browser that returns from the provider. */
export interface Returned extends Asking {
  /** What it comes with. */
  readonly answer: URLSearchParams;
  /** What it was sent with; undefined where it was not. */
  readonly flow: OidcFlow | undefined;
}

/** A session that begins. */
export interface BegunIdentity {
  /** Nowhere else. */
  readonly token: string;
  /** The session that it replaces, by the hash of its token. */
  readonly replaces: string | undefined;
}

export type OidcSignIn = ReturnType<typeof createOidcSignIn>;

/** Signs operators in at an identity provider. Functions throw an OidcFault where that fails, and a Refusal as for passwords. */
export function createOidcSignIn(parts: OidcSignInParts) {
  const { settings, provider, signIn, desk, clock } = parts;
  const used = new RecentUses(FLOW_MS, clock.monotonic, TOKENS_KEPT_MAX);
  const seats = new Seats<string>(AT_ONCE_MAX, AT_ONCE_MAX);
  const idTokens = new Map<string, string>();

  const keepIdToken = (token: string, idToken: string): void => {
    if (idToken.length <= TOKEN_CHARACTERS_MAX)
      setBounded(idTokens, hashBearerSecret(token), idToken, TOKENS_KEPT_MAX);
  };

  /** @throws OidcFault for a browser that was not sent, has come back before, or took too long */
  const flowOf = ({ flow, answer }: Returned): OidcFlow => {
    const isInTime = flow !== undefined && clock.now() - flow.startedAt < FLOW_MS;
    if (!isInTime || flow.state !== answer.get('state') || used.isRecent(flow.state))
      throw new OidcFault(
        'state',
        'the browser was not sent to the provider in the last ten minutes, or came back before',
      );
    used.note(flow.state);
    return flow;
  };

  const roleOf = roleReader(parts);
  const checkAgain = againChecker(parts);
  const planned = sessionPlanner(parts);

  return {
    settings,

    /**
     * Begins a sign-in.
     *
     * @param session of a person who is to give credentials again
     * @returns also the address at the provider
     */
    begin: (session?: string) =>
      provider.begin(session === undefined ? undefined : hashBearerSecret(session)),

    /** Ends a sign-in: the session that begins replaces the one of a person who gave credentials again. */
    async finish(returned: Returned): Promise<BegunIdentity> {
      signIn.drawFrom(returned.address);
      const flow = flowOf(returned);
      const leave = seats.take('all');
      if (leave === undefined)
        throw refuse('STORE_UNAVAILABLE', 'Too many people are signing in. Try again in a moment.', 1);
      try {
        const person = await provider.finish(returned.answer, flow);
        await checkAgain(person, flow);
        const role = await roleOf(person, returned);
        const { secret: token, secretHash: tokenHash } = newBearerSecret();
        const session = { tokenHash, replaces: flow.session };
        const done = await desk.do(undefined, clock.now(), async () => ({
          jobs: await planned(person, role, session, returned.requestId),
          facts: {},
        }));
        if (isRefusal(done)) throw done;
        keepIdToken(token, person.idToken);
        return { token, replaces: flow.session };
      } finally {
        leave();
      }
    },

    /** Returns where a browser signs out at the provider; undefined where that is not offered or does not answer. */
    async signOutAddress(session: string, path: string): Promise<string | undefined> {
      const hash = hashBearerSecret(session);
      const idToken = idTokens.get(hash);
      idTokens.delete(hash);
      return provider.signOutAddress(idToken, path).catch(() => undefined);
    },
  };
}

const identityOf = ({ issuer, subject }: OidcPerson): OidcIdentity => ({
  oidcIssuer: issuer,
  oidcSubject: subject,
});

/** Reads the role of a person; the function throws an OidcFault where the person may not sign in. */
function roleReader({ settings, signIn, operators, writer }: OidcSignInParts) {
  /** Ends the sessions of an operator who is refused now. */
  const refuseOperator = async (
    operator: Operator | undefined,
    asking: Asking,
    problem: 'role' | 'disabled',
    message: string,
  ): Promise<OidcFault> => {
    if (operator) notRefused(await writer.write('endSessions', { operatorId: operator.id }));
    await signIn.auditFailure(operator, asking, { identity_provider: problem });
    return new OidcFault(problem, message);
  };

  return async (person: OidcPerson, asking: Asking): Promise<Role> => {
    const operator = await operators.findByIdentity(identityOf(person));
    const groups = groupsAt(person.claims, settings.roleClaim);
    const role = roleOfGroups(groups ?? [], settings.groups);
    if (role === undefined) {
      const why = groups === undefined ? `has no claim ${settings.roleClaim}` : 'is in no group with a role';
      throw await refuseOperator(operator, asking, 'role', `the person ${why}`);
    }
    if (operator && operator.disabledAt !== null)
      throw await refuseOperator(operator, asking, 'disabled', `the operator ${operator.name} is disabled`);
    return role;
  };
}

/** Checks a sign-in for an act; the function throws an OidcFault where another person came, or gave no credentials. */
function againChecker({ operators, clock }: OidcSignInParts) {
  return async (person: OidcPerson, { session, startedAt }: OidcFlow): Promise<void> => {
    if (session === undefined) return;
    const { issuer, subject, authenticatedAt } = person;
    if (authenticatedAt === undefined || authenticatedAt < startedAt - CLOCK_SKEW_MS)
      throw new OidcFault('stale', 'the provider did not ask for credentials again (auth_time)');
    const now = clock.now();
    const before = await operators.findSession(session, { startedAfter: now - SESSION_MS, now });
    if (before?.operator.oidcIssuer !== issuer || before.operator.oidcSubject !== subject)
      throw new OidcFault('person', 'another person signed in, or the session has ended');
  };
}

/** Plans the session of a person, with the operator whom it takes. */
function sessionPlanner({ operators, clock }: OidcSignInParts) {
  return async (person: OidcPerson, role: Role, session: Planned, requestId: string | undefined) => {
    const identity = identityOf(person);
    const by = { requestId, now: clock.now() };
    const operator = await operators.findByIdentity(identity);
    const all = operator ? [] : await operators.all();
    if (all.length >= OPERATORS_MAX)
      throw new OidcFault('full', `the limit of ${OPERATORS_MAX} operators is reached`);
    const name =
      operator?.name ?? nameOfPerson(person.claims, (taken) => all.some((each) => each.name === taken));
    const isChanged = operator !== undefined && operator.role !== role;
    const input: IdentitySession = {
      ...identity,
      tokenHash: session.tokenHash,
      now: by.now,
      confirmedAt: Math.min(person.authenticatedAt ?? 0, by.now),
      endsAt: person.endsAt ?? null,
      // Another role ends every session.
      replaces: isChanged ? undefined : session.replaces,
    };
    const act: Act = { ...by, actor: `operator:${name}` };
    const start: Job = { name: 'startIdentitySession', input };
    const subject = operatorSubject(name);
    const { jobs } = audited(act, 'operator.sign-in', subject, [start], {
      after: { identity_provider: true },
    });
    const granted: Act = { ...by, actor: 'system' };
    return [...jobsBefore({ operator, identity, name, role, granted }), ...jobs];
  };
}

interface Planned {
  readonly tokenHash: string;
  readonly replaces: string | undefined;
}

interface Granted {
  readonly operator: Operator | undefined;
  readonly identity: OidcIdentity;
  readonly name: string;
  readonly role: Role;
  readonly granted: Act;
}

/** Adds an operator, or gives another role. */
function jobsBefore({ operator, identity, name, role, granted }: Granted): readonly Job[] {
  const subject = operatorSubject(name);
  if (operator === undefined) {
    const { oidcIssuer, oidcSubject } = identity;
    const input = { name, role, createdAt: granted.now, ...identity };
    return audited(granted, 'operator.add', subject, [{ name: 'addIdentity', input }], {
      after: { role, issuer: oidcIssuer, subject: oidcSubject },
    }).jobs;
  }
  if (operator.role === role) return [];
  const input = { id: operator.id, role };
  return audited(granted, 'operator.role', subject, [{ name: 'setOperatorRole', input }], {
    before: { role: operator.role },
    after: { role },
  }).jobs;
}
