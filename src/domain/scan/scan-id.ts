import { randomBytes } from 'node:crypto';
import { base62Bytes } from '../../lib/base62.ts';

const CHARACTERS = 22;
/** 62^22 is larger than 2^128. */
const BYTES = 16;

/** What a tenant calls a scan by: 22 characters of chance, which tell nothing. */
export const newScanId = (): string => base62Bytes(randomBytes(BYTES), CHARACTERS);
