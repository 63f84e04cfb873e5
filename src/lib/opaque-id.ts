import { randomBytes } from 'node:crypto';
import { base62Bytes } from './base62.ts';

const CHARACTERS = 22;
/** 62^22 is larger than 2^128. */
const BYTES = 16;

/** A random ID that reveals nothing: 128 bits as 22 characters of base 62. */
export const newOpaqueId = (): string => base62Bytes(randomBytes(BYTES), CHARACTERS);
