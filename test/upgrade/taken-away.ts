/** Texts for people, which may be reworded. */
const WORDS = /[.](?:error[.]message|integrations\[\d+\][.]description|recommendation)$/;

/**
 * Where a newer answer differs from an older one, or lacks something. An additional member is no difference,
 * because the interface only grows.
 *
 * @returns the places, such as `.data.sites[0].id`
 */
export function takenAway(older: unknown, newer: unknown, place = ''): string[] {
  if (typeof older !== 'object' || older === null || typeof newer !== 'object' || newer === null) {
    const isReworded = typeof older === 'string' && typeof newer === 'string' && WORDS.test(place);
    return older === newer || isReworded ? [] : [place];
  }
  if (Array.isArray(older) || Array.isArray(newer)) {
    if (!Array.isArray(older) || !Array.isArray(newer) || older.length !== newer.length) return [place];
    return older.flatMap((each, index) => takenAway(each, newer[index], `${place}[${index}]`));
  }
  const found: Readonly<Record<string, unknown>> = { ...newer };
  return Object.entries(older).flatMap(([name, each]) => takenAway(each, found[name], `${place}.${name}`));
}
