import { inspect, type PrivacyPolicy, stripLegacyCallerFields } from '../domain/privacy/gate.ts';
import { type RefusalCode, refuse } from '../domain/refusal.ts';
import { asTransform } from './body.ts';
import { synchronous } from './synchronous.ts';

/** A hook that refuses a body for what it holds, before its schema is looked at. It names the place and the rule. */
export const privacyGate = (policy: PrivacyPolicy, refusedAs: RefusalCode) =>
  synchronous(({ body }: { body: unknown }): void => {
    const violation = inspect(body, policy);
    if (violation)
      throw refuse(refusedAs, `${violation.path}: refused by the privacy rule ${violation.rule}.`);
  });

/** A hook that forgets the `ip` and `userAgent` of old clients. */
export const discardCallerFields = synchronous(
  asTransform(({ body }: { body: unknown }) => ({ body: stripLegacyCallerFields(body) })),
);
