/** Like `Array.map` for asynchronous work, one item at a time. */
export async function oneAfterAnother<Item, Value>(
  items: Iterable<Item>,
  work: (item: Item, index: number) => Value | Promise<Value>,
): Promise<Value[]> {
  const values: Value[] = [];
  for (const item of items) values.push(await work(item, values.length));
  return values;
}
