import { expect, test } from 'bun:test';
import { isRefusal } from '../../src/domain/refusal.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createSignIn, type SignInParts } from '../../src/operator/sign-in.ts';

test('tries of the same moment are counted before any of them is looked at', async () => {
  const nobody: Partial<SignInParts['operators']> = { findByName: async () => undefined };
  const signIn = createSignIn({
    operators: nobody as SignInParts['operators'],
    secondFactorOf: async () => undefined,
    identities: { secondFactorKey: new Uint8Array(32) },
    desk: {
      do: async () => Promise.reject(new Error('nothing is to be done')),
    } as unknown as SignInParts['desk'],
    writer: { write: async () => undefined } as unknown as SignInParts['writer'],
    clock: systemClock,
    after: () => () => {},
  });
  const attempt = {
    name: 'nobody',
    password: 'wrong horse battery',
    hasSession: false,
    requestId: undefined,
  };
  const triesFrom = (address: string) =>
    Array.from({ length: 8 }, () => signIn.signIn({ ...attempt, address }).catch((error: unknown) => error));
  for (const address of ['192.0.2.1', '192.0.2.2']) {
    const refusals = (await Promise.all(triesFrom(address))).map(
      (outcome) => isRefusal(outcome) && outcome.refused,
    );
    expect(refusals.filter((code) => code === 'RATE_LIMITED')).toHaveLength(3);
  }
});
