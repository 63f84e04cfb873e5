/** Memoizes a function of an object by the identity of the object, until it is garbage-collected. */
export function madeOnce<Input extends object, Output>(
  make: (input: Input) => Output,
): (input: Input) => Output {
  const results = new WeakMap<Input, Output>();
  return (input) => {
    const known = results.get(input);
    if (known !== undefined) return known;
    const output = make(input);
    results.set(input, output);
    return output;
  };
}
