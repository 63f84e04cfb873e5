/** Makes something when it is first asked for, and gives the same to whoever asks again. */
export function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
