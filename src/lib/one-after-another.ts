/** Like `Array.map`, but each work begins when the one before it is over. */
export async function oneAfterAnother<Item, Value>(
  items: Iterable<Item>,
  work: (item: Item, index: number) => Value | Promise<Value>,
): Promise<Value[]> {
  const values: Value[] = [];
  for (const item of items) values.push(await work(item, values.length));
  return values;
}
