/** Finds closing marks. Remembers marks that do not occur again, so that many openings do not cause a search each. */
export class Closings {
  readonly #content: string;
  readonly #missing = new Set<string>();
  #tagAt = -2;

  constructor(content: string) {
    this.#content = content;
  }

  block(at: number): number {
    const end = this.#find('*/', at + 2);
    return end < 0 ? at : end + 2;
  }

  markup(at: number): number {
    const end = this.#find('-->', at + 4);
    return end < 0 ? at : end + 3;
  }

  /** A line comment also ends before a closing PHP tag. */
  line(at: number): number {
    let end = this.#find('\n', at);
    if (end < 0) end = this.#content.length;
    if (this.#tagAt !== -1 && this.#tagAt < at) this.#tagAt = this.#content.indexOf('?>', at);
    return this.#tagAt >= at && this.#tagAt < end ? this.#tagAt : end;
  }

  /** Offset of the closing quote, -1 if there is none. */
  quote(at: number, code: number): number {
    const quote = String.fromCharCode(code);
    let end = at;
    while (true) {
      end = this.#find(quote, end + 1);
      if (end < 0) return -1;
      let slashes = end;
      while (slashes > at && this.#content.charCodeAt(slashes - 1) === 92) slashes--;
      if ((end - slashes) % 2 === 0) return end;
    }
  }

  #find(what: string, from: number): number {
    if (this.#missing.has(what)) return -1;
    const found = this.#content.indexOf(what, from);
    if (found < 0) this.#missing.add(what);
    return found;
  }
}
