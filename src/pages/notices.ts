/** What an act has come to, which the page after it shows once. */
export interface Notice {
  readonly words: string;
  /** What is shown only now, such as a key. */
  readonly secret?: string;
  /** A text that passes the secret on, ready to be copied. */
  readonly letter?: { readonly title: string; readonly text: string };
  /** Further facts, in sentences. */
  readonly more?: readonly string[];
}

/** Who reads a page, or is to read the next one. */
interface Reader {
  readonly token: string;
  readonly request: Request;
}

/** Pages of sessions that have something to show; the one that got it longest ago makes room. */
const PAGES_MAX = 1_000;
/** The same of one session: far fewer, so that none takes the room of all others. */
const PAGES_OF_SESSION = 50;

/** Keeps what a page shows once to a session: in memory alone, for it may be a key. */
export class Notices {
  readonly #left = new Map<string, readonly Notice[]>();

  /** @param path of the page that is to show it: no other one does */
  leave({ token }: Pick<Reader, 'token'>, path: string, notice: Notice): void {
    const page = pageOf(token, path);
    const before = this.#left.get(page) ?? [];
    this.#left.delete(page);
    this.#left.set(page, [...before, notice]);
    const all = [...this.#left.keys()];
    const own = all.filter((each) => each.startsWith(pageOf(token, '')));
    if (own.length > PAGES_OF_SESSION) this.#left.delete(own[0] ?? page);
    else if (all.length > PAGES_MAX) this.#left.delete(all[0] ?? page);
  }

  /** Of a page that is read, not of one that answers a form or has no body. */
  take({ token, request }: Reader, path: string): readonly Notice[] {
    if (request.method !== 'GET') return [];
    const page = pageOf(token, path);
    const notices = this.#left.get(page) ?? [];
    this.#left.delete(page);
    return notices;
  }
}

const pageOf = (token: string, path: string): string => `${token} ${path}`;
