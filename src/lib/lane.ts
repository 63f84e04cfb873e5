/**
 * Lets only a few pieces of heavy work begin in each turn of the event loop, in the order in which they
 * came, so that light requests are answered in between.
 *
 * @returns a function that resolves when the next piece of work may begin
 */
export function createLane(perTurn: number): () => Promise<void> {
  const waiting: (() => void)[] = [];
  let begun = 0;

  const nextTurn = () => {
    begun = Math.min(perTurn, waiting.length);
    for (const begin of waiting.splice(0, begun)) begin();
    if (begun > 0) setImmediate(nextTurn);
  };

  return async () => {
    if (begun === 0) setImmediate(nextTurn);
    begun += 1;
    if (begun <= perTurn) return;
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
    });
  };
}
