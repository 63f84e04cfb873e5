/** The form of an opaque hash. */
export const HASH_TOKEN = /^[A-Za-z0-9_-]{1,128}$/;
