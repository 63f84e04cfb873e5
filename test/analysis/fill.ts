/** The length of slow contents. */
export const KIB_64 = 64 * 1024;

/** A text of that length that repeats one piece. */
export const fill = (unit: string, before = '') =>
  (before + unit.repeat(Math.ceil(KIB_64 / unit.length))).slice(0, KIB_64);
