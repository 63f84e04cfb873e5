/** The intersection of the argument types of several functions with one argument each. */
export type ArgumentOf<Functions extends (argument: never) => unknown> = [Functions] extends [
  (argument: infer Argument) => unknown,
]
  ? Argument
  : never;
