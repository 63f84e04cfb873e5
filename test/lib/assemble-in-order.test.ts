import { expect, test } from 'bun:test';
import { inOrder } from '../../src/lib/assemble-in-order.ts';

test('each part receives the results of earlier ones, and is created once for all assemblies', async () => {
  let created = 0;
  const base = ({ step }: { readonly step: number }) => {
    created += 1;
    return async ({ given }: { readonly given: number }) => ({ base: given + step });
  };
  const doubled =
    (_: object) =>
    ({ base }: { readonly base: number }) => ({ doubled: base * 2 });
  const assemble = inOrder([base, doubled], { step: 1 });
  expect(await assemble({ given: 1 })).toEqual({ given: 1, base: 2, doubled: 4 });
  expect(await assemble({ given: 2 })).toEqual({ given: 2, base: 3, doubled: 6 });
  expect(created).toBe(1);
});

test('an exception of a part ends the assembly', async () => {
  const broken = (_: object) => (_: object) => Promise.reject(new Error('no port'));
  let isReached = false;
  const later = (_: object) => (_: object) => {
    isReached = true;
    return {};
  };
  await expect(inOrder([broken, later], {})({})).rejects.toThrow('no port');
  expect(isReached).toBe(false);
});
