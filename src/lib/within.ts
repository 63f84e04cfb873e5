/** The value of a promise, or `'timeout'`. The work itself is not canceled. */
export async function within<Value>(promise: Promise<Value>, timeoutMs: number): Promise<Value | 'timeout'> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<'timeout'>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, 'timeout');
  });
  try {
    return await Promise.race([promise, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
