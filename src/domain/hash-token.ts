/** The form of an opaque hash (specification, section 8). */
export const HASH_TOKEN = /^[A-Za-z0-9_-]{1,128}$/;
