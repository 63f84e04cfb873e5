/** A phrase that a native writer would not use here. */
export interface Pattern {
  readonly phrase: RegExp;
  /** What to write in its place. */
  readonly instead: string;
}

const pattern = (phrase: RegExp, instead: string): Pattern => ({ phrase, instead });

export const PATTERNS: readonly Pattern[] = [
  pattern(/\b(?:who|what)ever\b/gi, 'the person, role or thing meant'),
  pattern(/\banew\b/gi, 'again, from scratch'),
  pattern(/\bmend(?:s|ed|ing)?\b/gi, 'fix, repair'),
  pattern(/\b(?:is|are|was|were) told\b/gi, 'gets, receives, is reported'),
  pattern(/\bheard of\b/gi, 'reported, last seen'),
  pattern(/\bstands? there\b/gi, 'is, appears, is listed'),
  pattern(/\blaid\b/gi, 'wrote, stored, placed'),
  pattern(/\bby whom\b/gi, 'the actor'),
  pattern(/\bwhose it is\b/gi, 'the customer, the owner'),
  pattern(/\bis so\b/gi, 'unchanged, already set'),
  pattern(/\bof whom\b/gi, 'two sentences'),
  pattern(/\bnot any more\b/gi, 'no longer'),
  pattern(/\bbesides\b/gi, 'also, in addition'),
  pattern(/\b(?:somebody|nobody)\b/gi, 'the person, role or thing meant'),
  pattern(/\bbelongs? into\b/gi, 'belongs in, belongs to'),
  pattern(/\bno (?:setting|domain|number) and\b/gi, 'is not a setting, and'),
];

/** A phrase that was found, and what to write in its place. */
export interface Finding {
  readonly found: string;
  readonly instead: string;
}

export const findingsIn = (text: string): Finding[] =>
  PATTERNS.flatMap(({ phrase, instead }) =>
    [...text.matchAll(phrase)].map(([found]) => ({ found: found.toLowerCase(), instead })),
  );
