/** Origins of a value as bits; a value may have several. */
export const ORIGIN = {
  none: 0,
  /** Sent by the caller of the page. */
  request: 1,
  /** Decoded. */
  decoded: 2,
  /** Fetched from another host. */
  remote: 4,
  /** Read from some file. */
  file: 16,
  /** A constant that is assembled so that it is not readable in the source. */
  disguised: 32,
  /** The parameter of the current function. */
  parameter: 64,
  upload: 128,
  /** A constant assembled from pieces. */
  assembled: 256,
  /** Only a part of the value has this origin; the rest is constant. */
  partial: 512,
  /** Has a constant prefix or suffix that no dangerous function name has. */
  prefixed: 1024,
  /** Ends with a constant extension that servers do not run. */
  harmlessEnding: 2048,
  /** Encoded as JSON. */
  json: 4096,
  /** Escaped as HTML entities, so it contains no tags. */
  escaped: 8192,
  /** Without path separators. */
  flat: 16384,
  /** The client's address as claimed by a header. */
  address: 32768,
  /** Ends with the extension of a log. */
  logEnding: 1 << 24,
  /** Begins with a network address. */
  url: 1 << 25,
  /** Ends with the extension of a picture. */
  imageEnding: 1 << 26,
  /** Request input that was sanitised for a page or a query, but not for a command. */
  cleaned: 1 << 27,
  /** Begins with request input, so it can lead to another host. */
  leading: 1 << 28,
  /** Remote content that can be a page: not JSON, or within tags. */
  markup: 1 << 29,
  /** Encoded unreadably, such as in base64 or a cipher. */
  encoded: 1 << 31,
} as const;

const POSITION_SHIFT = 16;
const POSITIONS_MAX = 8;
/** Bit of a parameter position, in addition to {@link ORIGIN.parameter}; all positions from the last on share one bit. */
export const positionOf = (position: number): number =>
  1 << (POSITION_SHIFT + Math.min(position, POSITIONS_MAX - 1));
export const POSITIONS = ((1 << POSITIONS_MAX) - 1) << POSITION_SHIFT;

/** Properties of the whole value, which are lost when it is changed or concatenated. */
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

/** Ends with the name of a hidden file, which has no extension: marked by both bits. */
export const HIDDEN_ENDING = ORIGIN.logEnding | ORIGIN.imageEnding;

/** Whether a path ends with the extension of a log. */
export const endsAsLog = (origins: number): boolean => (origins & HIDDEN_ENDING) === ORIGIN.logEnding;

/** Whether a path ends with the extension of a picture. */
export const endsAsPicture = (origins: number): boolean => (origins & HIDDEN_ENDING) === ORIGIN.imageEnding;
