import { randomBytes } from 'node:crypto';
import { base62Bytes } from './base62.ts';

const CHARACTERS = 22;
/** 62^22 is larger than 2^128. */
const BYTES = 16;

/** A name that tells nothing of what it names: 22 characters of base 62, 128 bits of chance. */
export const newOpaqueId = (): string => base62Bytes(randomBytes(BYTES), CHARACTERS);
