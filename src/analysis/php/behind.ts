const ASSIGNMENT = ['=', '.=', '+=', '-=', '*=', '/=', '%=', '^=', '|=', '&=', '<<=', '>>=', '**=', '??='];

/** What an operator behind a value begins or ends. */
export const BEHIND = {
  ends: 0,
  closes: 1,
  item: 2,
  brace: 3,
  call: 4,
  member: 5,
  step: 6,
  assigns: 7,
} as const;
/** By the operator; none for what begins no more of a value. */
export const BEHIND_VALUE: ReadonlyMap<string, number> = new Map<string, number>([
  [';', BEHIND.ends],
  [',', BEHIND.ends],
  [')', BEHIND.closes],
  ['[', BEHIND.item],
  ['{', BEHIND.brace],
  ['(', BEHIND.call],
  ['->', BEHIND.member],
  ['?->', BEHIND.member],
  ['::', BEHIND.member],
  ['++', BEHIND.step],
  ['--', BEHIND.step],
  ...ASSIGNMENT.map((operator) => [operator, BEHIND.assigns] as const),
]);
