import { isDeepStrictEqual } from 'node:util';

/** Memoizes the last result of a function until its input changes (deep equality). */
export function rememberLast<Input, Output>(make: (input: Input) => Output): (input: Input) => Output {
  let last: { readonly input: Input; readonly output: Output } | undefined;
  return (input) => {
    if (last === undefined || !isDeepStrictEqual(last.input, input)) last = { input, output: make(input) };
    return last.output;
  };
}
