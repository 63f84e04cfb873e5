/** The result of an act, shown once on the next page. */
export interface Notice {
  readonly words: string;
  /** A secret that is shown only once, such as a key. */
  readonly secret?: string;
  /** A text for the customer with the secret, to be copied. */
  readonly letter?: { readonly title: string; readonly text: string };
  /** Further sentences. */
  readonly more?: readonly string[];
}

/** The session and the request of a page. */
interface Reader {
  readonly token: string;
  readonly request: Request;
}

/** Maximum number of pages with notices, of all sessions. Beyond it, the oldest is dropped. */
const PAGES_MAX = 1_000;
/** Maximum number of pages with notices per session, so that one session cannot displace the others. */
const PAGES_PER_SESSION_MAX = 50;

/** Stores notices until their page is shown. Only in memory, because they may contain keys. */
export class Notices {
  readonly #left = new Map<string, readonly Notice[]>();

  /** @param path the only page that shows the notice */
  leave({ token }: Pick<Reader, 'token'>, path: string, notice: Notice): void {
    const page = pageOf(token, path);
    const before = this.#left.get(page) ?? [];
    this.#left.delete(page);
    this.#left.set(page, [...before, notice]);
    const all = [...this.#left.keys()];
    const own = all.filter((each) => each.startsWith(pageOf(token, '')));
    if (own.length > PAGES_PER_SESSION_MAX) this.#left.delete(own[0] ?? page);
    else if (all.length > PAGES_MAX) this.#left.delete(all[0] ?? page);
  }

  /** Removes and returns the notices of a page. Only for GET: answers to forms and to HEAD do not show them. */
  take({ token, request }: Reader, path: string): readonly Notice[] {
    if (request.method !== 'GET') return [];
    const page = pageOf(token, path);
    const notices = this.#left.get(page) ?? [];
    this.#left.delete(page);
    return notices;
  }
}

const pageOf = (token: string, path: string): string => `${token} ${path}`;
