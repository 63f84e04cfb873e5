const awaiting: (() => void)[] = [];

/**
 * Waits for a turn of the event loop without other waiters of this function. Long work does one piece in
 * each, so that small requests are answered between them.
 */
export function ownTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (awaiting.push(resolve) === 1) setImmediate(grantTurn);
  });
}

function grantTurn(): void {
  awaiting.shift()?.();
  if (awaiting.length > 0) setImmediate(grantTurn);
}
