/** What any of several functions, each of one argument, can be called with: all that they ask for together. */
export type ArgumentOf<Functions extends (argument: never) => unknown> = [Functions] extends [
  (argument: infer Argument) => unknown,
]
  ? Argument
  : never;
