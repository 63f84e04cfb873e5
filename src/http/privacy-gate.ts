import { inspect, type PrivacyPolicy, stripLegacyCallerFields } from '../domain/privacy/gate.ts';
import { type RefusalCode, refuse } from '../domain/refusal.ts';

/** A hook that refuses a body for what it holds, before its schema is looked at. It names the place and the rule. */
export const privacyGate =
  (policy: PrivacyPolicy, refusedAs: RefusalCode) =>
  ({ body }: { body: unknown }): void => {
    const violation = inspect(body, policy);
    if (violation)
      throw refuse(refusedAs, `${violation.path}: refused by the privacy rule ${violation.rule}.`);
  };

/** A hook that forgets the `ip` and `userAgent` of old clients. */
export function discardCallerFields(context: { body: unknown }): void {
  context.body = stripLegacyCallerFields(context.body);
}
