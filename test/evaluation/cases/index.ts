import type { Case, Label } from '../corpus.ts';

interface OwnCases {
  readonly category: string;
  readonly label: Label;
  readonly cases: readonly Case[];
}

export const OWN_CASES: readonly OwnCases[] = [];
