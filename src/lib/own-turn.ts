const awaiting: (() => void)[] = [];

/**
 * Waits for a turn of the event loop that no other caller of this function gets. Long work yields between pieces, so that
 * small requests are answered in between.
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
