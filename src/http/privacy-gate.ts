import { inspect, type PrivacyPolicy } from '../domain/privacy/gate.ts';
import { type RefusalCode, refuse } from '../domain/refusal.ts';

/** Refuses a body for what it holds, before its schema is looked at. It names the place and the rule. */
export const privacyGate =
  (policy: PrivacyPolicy, refusedAs: RefusalCode) =>
  (body: unknown): void => {
    const violation = inspect(body, policy);
    if (violation)
      throw refuse(refusedAs, `${violation.path}: refused by the privacy rule ${violation.rule}.`);
  };
