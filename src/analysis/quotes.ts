/**
 * Finds the ends of quoted texts: the offset of the closing quote, or of the end of the line or source. Searches for each mark
 * natively and only once, however many texts there are.
 */
export function quotesOf(source: string): (quote: string, from: number, endsWithLine: boolean) => number {
  const next = (mark: string) => {
    let found = -1;
    return (from: number): number => {
      if (found < from) {
        const at = source.indexOf(mark, from);
        found = at < 0 ? Number.POSITIVE_INFINITY : at;
      }
      return found;
    };
  };
  const backslash = next('\\');
  const line = next('\n');
  const marks = new Map(["'", '"', '`'].map((quote) => [quote, next(quote)]));
  return (quote, from, endsWithLine) => {
    const closing = marks.get(quote) ?? next(quote);
    for (let at = from; ; ) {
      const end = Math.min(closing(at), endsWithLine ? line(at) : source.length, source.length);
      const escaped = backslash(at);
      if (escaped >= end) return end;
      at = escaped + 2;
    }
  };
}
