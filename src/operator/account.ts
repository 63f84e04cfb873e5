import { hashRecoveryCode, newRecoveryCodes } from '../domain/admin/recovery-code.ts';
import { openSecret, sealSecret } from '../domain/admin/sealed-secret.ts';
import { matchingStep, newTotpSecret } from '../domain/admin/totp.ts';
import { removeInvisible } from '../lib/trim-invisible.ts';
import type { Job } from '../storage/engine/jobs/jobs.ts';
import type { RenewedSession } from '../storage/operators/operator-jobs.ts';
import type { Operator } from '../storage/operators/operators.ts';
import { type Act, type ActOutcome, audited, type PlannedAct, type RefusedAct, unchanged } from './act.ts';
import { operatorSubject } from './operators.ts';

/** Recovery codes, shown once and stored only as hashes. */
export interface PlannedCodes extends PlannedAct {
  readonly codes: readonly string[];
}

function newCodes() {
  const codes = newRecoveryCodes();
  return { codes, codeHashes: codes.flatMap((code) => hashRecoveryCode(code) ?? []) };
}

/** Ends every session but one, which gets a new token. */
const onlyRenewed = (operatorId: number, tokens: RenewedSession): Job[] => [
  { name: 'endSessions', input: { operatorId, but: tokens.tokenHash } },
  { name: 'renewSession', input: tokens },
];

/** Plans to store a new secret, which is required after its operator has confirmed it. */
export const beginSecondFactor = ({ id }: Operator, key: Uint8Array): PlannedAct => ({
  jobs: [{ name: 'setTotpSecret', input: { id, sealed: sealSecret(key, id, newTotpSecret()) } }],
});

/**
 * Plans to require codes from now on, if one confirms the operator's secret. The confirming session gets a new token; others,
 * begun without a code, end.
 */
export function turnOnSecondFactor(
  { id, name }: Operator,
  sealed: string | null,
  { key, code, ...tokens }: { readonly key: Uint8Array; readonly code: string } & RenewedSession,
  act: Act,
): PlannedCodes | RefusedAct {
  const secret = sealed === null ? undefined : openSecret(key, id, sealed);
  const step = secret && matchingStep(secret, removeInvisible(code), act.now, null);
  if (sealed === null || step === undefined)
    return { refused: 'the code does not match this secret. Check the clock of your device' };
  const { codes, codeHashes } = newCodes();
  const jobs: Job[] = [
    { name: 'confirmTotp', input: { id, sealed, step, now: act.now, codeHashes } },
    ...onlyRenewed(id, tokens),
  ];
  return { ...audited(act, 'operator.2fa-on', operatorSubject(name), jobs), codes };
}

/** Plans to replace the recovery codes. */
export function renewRecoveryCodes({ id, name }: Operator, act: Act): PlannedCodes {
  const { codes, codeHashes } = newCodes();
  const job = { name: 'replaceRecoveryCodes', input: { id, codeHashes } } as const;
  return { ...audited(act, 'operator.recovery-codes', operatorSubject(name), [job]), codes };
}

/** Plans to remove an operator's own second factor. */
export const turnOffSecondFactor = ({ id, name }: Operator, act: Act): PlannedAct =>
  audited(act, 'operator.2fa-off', operatorSubject(name), [{ name: 'clearSecondFactor', input: { id } }]);

/** Plans to remove the lost second factor of an operator; every session ends. */
export function resetSecondFactor(operator: Operator | undefined, act: Act): ActOutcome {
  if (operator === undefined) return { refused: 'no such operator. List them with redoubt operator list' };
  const { id, name, hasSecondFactor } = operator;
  if (!hasSecondFactor) return unchanged(`${name} has no second factor`);
  if (act.actor === `operator:${name}`)
    return { refused: 'to turn off your own second factor, enter a code on your account page' };
  const jobs: Job[] = [
    { name: 'clearSecondFactor', input: { id } },
    { name: 'endSessions', input: { operatorId: id } },
  ];
  return audited(act, 'operator.2fa-reset', operatorSubject(name), jobs);
}

/** Plans to change a password; the current session gets a new token, all others end. */
export function changePassword(
  { id, name }: Operator,
  { passwordHash, ...tokens }: { readonly passwordHash: string } & RenewedSession,
  act: Act,
): PlannedAct {
  const jobs: Job[] = [
    { name: 'changeOperatorPassword', input: { id, passwordHash } },
    ...onlyRenewed(id, tokens),
  ];
  return audited(act, 'operator.password', operatorSubject(name), jobs);
}

/** Plans to end every session of an operator but the one that asks. */
export const endOtherSessions = ({ id, name }: Operator, tokenHash: string, act: Act): PlannedAct =>
  audited(act, 'operator.sessions-end', operatorSubject(name), [
    { name: 'endSessions', input: { operatorId: id, but: tokenHash } },
  ]);
