import { isObject, textOr } from './fields.ts';
import { plainNotice } from './plain-text.ts';

const HOLDERS_MAX = 4;

interface Notice {
  readonly notice: string;
  readonly license: string;
}

/**
 * The copyright notices of Wordfence's records, one per holder, which its terms of use (3.1) require to be displayed. MITRE's is
 * only in records with a CVE.
 */
export class Notices {
  readonly #byHolder = new Map<string, Notice>();

  /** Adds the field `copyrights` of a record. */
  note(copyrights: unknown): void {
    if (!isObject(copyrights)) return;
    for (const holder of Object.keys(copyrights)) {
      const entry = copyrights[holder];
      if (!isObject(entry) || this.#byHolder.has(holder) || this.#byHolder.size === HOLDERS_MAX) continue;
      const address = textOr(entry.license_url, '');
      this.#byHolder.set(holder, {
        notice: plainNotice(textOr(entry.notice, '')),
        license: plainNotice(`${textOr(entry.license, '')}${address === '' ? '' : ` (${address})`}`),
      });
    }
  }

  /** Empty if there are none. */
  notices(): string {
    return this.#joined(({ notice }) => notice);
  }

  licenses(): string {
    return this.#joined(({ license }) => license);
  }

  #joined(part: (notice: Notice) => string): string {
    return [...this.#byHolder.values()]
      .map(part)
      .filter((text) => text !== '')
      .join('\n');
  }
}
