/** A phrase that is right in its place. */
export interface Allowed {
  readonly place: string;
  readonly found: string;
  readonly reason: string;
}

export const ALLOWED: readonly Allowed[] = [
  {
    place: 'test/contract/site-check-long.test.ts',
    found: 'is so',
    reason: 'part of the content that the test analyzes, not a comment',
  },
];
