import { closeSync, openSync, readSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { temporaryDirectory } from './temporary.ts';

const READ_BYTES = 64 * 1024;

/** The log of a process as a file: what the process has written can be read at once, which a pipe would deliver later. */
export class LogFile {
  readonly descriptor: number;
  readonly #decoder = new StringDecoder('utf8');
  #text = '';
  #atByte = 0;
  #isOpen = true;

  constructor() {
    const path = join(temporaryDirectory(), 'log');
    this.descriptor = openSync(path, 'ax+');
    // Only this process reads it, and a shared service would leave it behind.
    unlinkSync(path);
  }

  /** What the process has written so far. */
  text(): string {
    const bytes = Buffer.alloc(READ_BYTES);
    while (this.#isOpen) {
      const count = readSync(this.descriptor, bytes, 0, READ_BYTES, this.#atByte);
      if (count === 0) break;
      this.#atByte += count;
      this.#text += this.#decoder.write(bytes.subarray(0, count));
    }
    return this.#text;
  }

  /** Reads the rest, and closes the file. */
  close(): void {
    this.text();
    if (this.#isOpen) closeSync(this.descriptor);
    this.#isOpen = false;
  }
}
