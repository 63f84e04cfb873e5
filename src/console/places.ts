import type { Role } from '../domain/admin/operator.ts';
import { TEXTS } from './texts.ts';

/** A page that the head of every page leads to. */
export interface Place {
  readonly path: string;
  readonly words: string;
  /** Who may see it. */
  readonly role: Role;
}

const { nav } = TEXTS;

/** In the order of how often they are needed. */
export const PLACES = {
  now: { path: '/console', words: nav.now, role: 'viewer' },
  licenses: { path: '/console/licenses', words: nav.licenses, role: 'viewer' },
  operators: { path: '/console/operators', words: nav.operators, role: 'owner' },
} as const satisfies Record<string, Place>;
