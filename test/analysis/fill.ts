/** How long contents are that are made to take long. */
export const KIB_64 = 64 * 1024;

/** A text of that length, of one piece again and again. */
export const fill = (unit: string, before = '') =>
  (before + unit.repeat(Math.ceil(KIB_64 / unit.length))).slice(0, KIB_64);
