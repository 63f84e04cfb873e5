/** A phrase that stays where it is. */
export interface Allowed {
  readonly place: string;
  readonly found: string;
  readonly reason: string;
}

export const ALLOWED: readonly Allowed[] = [];
