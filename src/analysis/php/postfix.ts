const ASSIGNMENT = ['=', '.=', '+=', '-=', '*=', '/=', '%=', '^=', '|=', '&=', '<<=', '>>=', '**=', '??='];

/** The meaning of an operator after a value. */
export const POSTFIX = {
  ends: 0,
  closes: 1,
  item: 2,
  brace: 3,
  call: 4,
  member: 5,
  step: 6,
  assigns: 7,
} as const;
/** By operator; other operators end the value. */
export const POSTFIX_BY_SIGN: ReadonlyMap<string, number> = new Map<string, number>([
  [';', POSTFIX.ends],
  [',', POSTFIX.ends],
  [')', POSTFIX.closes],
  ['[', POSTFIX.item],
  ['{', POSTFIX.brace],
  ['(', POSTFIX.call],
  ['->', POSTFIX.member],
  ['?->', POSTFIX.member],
  ['::', POSTFIX.member],
  ['++', POSTFIX.step],
  ['--', POSTFIX.step],
  ...ASSIGNMENT.map((operator) => [operator, POSTFIX.assigns] as const),
]);
