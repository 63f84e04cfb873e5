import { isDeepStrictEqual } from 'node:util';

/** Makes something of an input, and gives it again for as long as the input stays deeply equal. */
export function rememberLast<Input, Output>(make: (input: Input) => Output): (input: Input) => Output {
  let last: { readonly input: Input; readonly output: Output } | undefined;
  return (input) => {
    if (last === undefined || !isDeepStrictEqual(last.input, input)) last = { input, output: make(input) };
    return last.output;
  };
}
