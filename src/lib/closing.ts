/**
 * Opens an object with several parts. `open` registers how to close each part right after opening it. If a later part fails,
 * earlier ones are closed in reverse order.
 *
 * @param onFault called with errors of closing, which are not thrown
 * @throws the error of the part that failed
 */
export async function openTogether<Value>(
  open: (closing: AsyncDisposableStack) => Promise<Value>,
  onFault: (error: unknown) => void,
): Promise<Value> {
  const closing = new AsyncDisposableStack();
  try {
    return await open(closing);
  } catch (error) {
    await closing.disposeAsync().catch(onFault);
    throw error;
  }
}
