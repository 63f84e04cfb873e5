/** The path of an absolute URL, without normalization. */
export function pathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('//') + 2);
  const end = url.slice(start).search(/[?#]/);
  return end < 0 ? url.slice(start) : url.slice(start, start + end);
}

/** The path and query of an absolute URL, without normalization. */
export const targetOf = (url: string): string => url.slice(url.indexOf('/', url.indexOf('//') + 2));
