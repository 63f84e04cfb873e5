/**
 * Opens something of several parts. Each part registers how it is closed in the line after it was opened. When a later part
 * fails, those before it are closed, the last one first.
 *
 * @param onFault told what failed while closing, of which a caller hears nothing
 * @throws what the part that failed threw
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
