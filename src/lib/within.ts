/** What a promise gives, or `'timeout'` when it takes longer; the work itself goes on. */
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
