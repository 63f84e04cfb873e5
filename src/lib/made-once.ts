/** A function that makes something of an object, once for as long as the object lives. */
export function madeOnce<Input extends object, Output>(
  make: (input: Input) => Output,
): (input: Input) => Output {
  const made = new WeakMap<Input, Output>();
  return (input) => {
    const before = made.get(input);
    if (before !== undefined) return before;
    const output = make(input);
    made.set(input, output);
    return output;
  };
}
