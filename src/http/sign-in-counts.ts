/** Ways to sign in: console, portal, token of the admin API, license key. */
const DOORS = ['console', 'portal', 'token', 'key'] as const;
/** `limited`: a rate limit refused the attempt. */
const OUTCOMES = ['succeeded', 'failed', 'limited'] as const;

export type SignInDoor = (typeof DOORS)[number];
type Outcome = (typeof OUTCOMES)[number];

/** An attempt to sign in, such as `key succeeded`. Each request with a token or a key is one. */
export type SignInAttempt = `${SignInDoor} ${Outcome}`;

/** Records an attempt to sign in, which is counted when the request is answered. */
export function noteSignIn(
  { exchange }: { readonly exchange?: { signIn?: SignInAttempt } },
  attempt: SignInAttempt,
): void {
  if (exchange) exchange.signIn = attempt;
}

export class SignInCounts {
  readonly #counts = new Map<SignInAttempt, number>();

  count(attempt: SignInAttempt): void {
    this.#counts.set(attempt, (this.#counts.get(attempt) ?? 0) + 1);
  }

  /** Lines in the text format of Prometheus. All combinations are listed, so that rates are right from the start. */
  exposition(): readonly string[] {
    const name = 'redoubt_sign_ins_total';
    return [
      `# HELP ${name} Attempts to sign in. Each request with a token or a license key is one.`,
      `# TYPE ${name} counter`,
      ...DOORS.flatMap((door) =>
        OUTCOMES.map(
          (outcome) =>
            `${name}{door="${door}",outcome="${outcome}"} ${this.#counts.get(`${door} ${outcome}`) ?? 0}`,
        ),
      ),
    ];
  }
}
