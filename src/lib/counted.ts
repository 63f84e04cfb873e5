/** Formats a count with its noun, such as `1 site` or `1,200 sites`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  count === 1 ? `1 ${one}` : `${count.toLocaleString('en')} ${many}`;
