import type { TSchema } from '@sinclair/typebox';
import { inspect, type PrivacyPolicy } from '../domain/privacy/gate.ts';
import { type RefusalCode, refuse } from '../domain/refusal.ts';
import { namesOf } from './schema-check.ts';

/**
 * Refuses a body for its content, before its schema is checked. The refusal names the place and the rule.
 *
 * @param named the schema with the field names that a refusal may mention
 */
export const privacyGate =
  (policy: PrivacyPolicy, refusedAs: RefusalCode, named: TSchema) =>
  (body: unknown): void => {
    const violation = inspect(body, policy, namesOf(named));
    if (violation)
      throw refuse(refusedAs, `${violation.path}: refused by the privacy rule ${violation.rule}.`);
  };
