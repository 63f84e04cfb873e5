/** Where a value comes from, as a set of bits: it may have several origins at once. */
export const ORIGIN = {
  none: 0,
  /** Sent by the caller of the page. */
  request: 1,
  /** Went through something that undoes an encoding. */
  decoded: 2,
  /** Fetched from another host. */
  remote: 4,
  /** Read from some file. */
  file: 16,
  /** Constant, but put together so that it cannot be read in the source. */
  disguised: 32,
  /** The parameter of the function that is being read. */
  parameter: 64,
  /** A file that the caller uploads. */
  upload: 128,
  /** Constant, put together from pieces. */
  assembled: 256,
  /** Only a part of the value is from there; the rest is the program's own. */
  partial: 512,
  /** Begins or ends with a word of the program's own that no dangerous function begins or ends with. */
  prefixed: 1024,
  /** Ends with an ending of the program's own that no server runs. */
  harmlessEnding: 2048,
  /** Written down as JSON. */
  json: 4096,
  /** Written down as HTML entities, so that no tag is left of it. */
  escaped: 8192,
  /** Without the characters that separate the parts of a path. */
  flat: 16384,
  /** The address that a header claims for the caller. */
  address: 32768,
  /** Ends with the ending of a log. */
  logEnding: 1 << 24,
  /** Begins with an address on the network. */
  url: 1 << 25,
  /** Ends with the ending of a picture. */
  imageEnding: 1 << 26,
  /** Sent by the caller of the page, and made harmless for a page or a query, not for a command. */
  cleaned: 1 << 27,
  /** Begins with what the caller sends, so that it can lead to another host. */
  leading: 1 << 28,
  /** Of what is from another host: sent as a page may be, not as JSON, or put among tags. */
  markup: 1 << 29,
  /** Written in an unreadable encoding, such as base64 or a cipher. */
  encoded: 1 << 31,
} as const;

const POSITION_SHIFT = 16;
const POSITIONS_MAX = 8;
/** Which parameters, in addition to {@link ORIGIN.parameter}: a bit for each position, the last one for all that come after. */
export const positionOf = (position: number): number =>
  1 << (POSITION_SHIFT + Math.min(position, POSITIONS_MAX - 1));
export const POSITIONS = ((1 << POSITIONS_MAX) - 1) << POSITION_SHIFT;

/** What is said of a value as a whole, and lost when something is put before or behind it or it is changed. */
export const OF_WHOLE =
  ORIGIN.prefixed |
  ORIGIN.harmlessEnding |
  ORIGIN.json |
  ORIGIN.escaped |
  ORIGIN.flat |
  ORIGIN.address |
  ORIGIN.logEnding |
  ORIGIN.url |
  ORIGIN.imageEnding |
  ORIGIN.leading;

/** Ends with the name of a hidden file, which has no ending: said by both at once. */
export const HIDDEN_ENDING = ORIGIN.logEnding | ORIGIN.imageEnding;

/** Whether a path ends with the ending of a log. */
export const endsAsLog = (origins: number): boolean => (origins & HIDDEN_ENDING) === ORIGIN.logEnding;

/** Whether a path ends with the ending of a picture. */
export const endsAsPicture = (origins: number): boolean => (origins & HIDDEN_ENDING) === ORIGIN.imageEnding;
