import { ProcessorFault } from '../payment-processor.ts';

/** Turns every error of the client into a fault for the log: its kind, not its text. */
export async function asked<Value>(ask: () => Promise<Value>): Promise<Value> {
  try {
    return await ask();
  } catch (error) {
    throw new ProcessorFault(kindOf(error));
  }
}

/** The same for an object that may be gone. */
export async function found<Value>(ask: () => Promise<Value>): Promise<Value | undefined> {
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
