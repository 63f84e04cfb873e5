import { ProcessorFault } from '../payment-processor.ts';

/** Calls Stripe and converts errors into faults for the log: their kind, without their text. */
export async function callStripe<Value>(ask: () => Promise<Value>): Promise<Value> {
  try {
    return await ask();
  } catch (error) {
    throw new ProcessorFault(kindOf(error));
  }
}

/** Like {@link callStripe}, but returns undefined if the object does not exist. */
export async function findInStripe<Value>(ask: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await ask();
  } catch (error) {
    if ((error as StripeFailure).code === 'resource_missing') return undefined;
    throw new ProcessorFault(kindOf(error));
  }
}

interface StripeFailure {
  readonly type?: string;
  readonly code?: string;
  readonly statusCode?: number;
}

const kindOf = (error: unknown): string => {
  if (error instanceof ProcessorFault) return error.message;
  const { type = 'unknown', code, statusCode } = error as StripeFailure;
  return [type, statusCode, code].filter((part) => part !== undefined).join(' ');
};
