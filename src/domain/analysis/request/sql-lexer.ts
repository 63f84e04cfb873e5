/** A string that encloses the value in the statement that it is put into; empty for none. */
export type Enclosure = '' | "'" | '"';

const TOKEN =
  /(\s+)|(--[\s\S]?|#|\/\*!?[0-9]{0,6})|(0[xX][0-9a-fA-F]+|[0-9]+(?:\.[0-9]+)?(?:[eE][0-9]+)?(?![A-Za-z0-9_]))|(@{0,2}[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*|[0-9]\w+)|(<=>|<>|!=|<=|>=|:=|\|\||&&|[\s\S])/y;

/**
 * A value as SQL reads it, in one notation: words in lower case, numbers as `0`, strings as `'s'` and an unclosed one as
 * `'q'`, comments gone, a comment that ends the statement as `--`, all apart by one space. What can be written in a hundred
 * ways so becomes one. Linear.
 *
 * @param enclosure how the value is quoted where it is put in: its first quote of that kind then closes a string
 */
export function normalizeSql(
  value: string,
  enclosure: Enclosure,
): { readonly text: string; readonly hidden: number } {
  const out: string[] = [];
  let hidden = 0;
  let at = 0;

  const string = (quote: string) => {
    let end = at;
    while (end < value.length) {
      if (value[end] === '\\') end += 2;
      else if (value[end] !== quote) end++;
      else if (value[end + 1] === quote && out.length > 0) end += 2;
      else break;
    }
    out.push(end < value.length ? "'s'" : "'q'");
    at = end + 1;
  };

  if (enclosure !== '') string(enclosure);
  while (at < value.length) {
    const char = value[at];
    if (char === "'" || char === '"') {
      at++;
      string(char);
      continue;
    }
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(value);
    if (found === null) break;
    const [whole, space, comment, number, word] = found;
    if (space !== undefined) at += whole.length;
    else if (comment?.startsWith('/*')) {
      // The content of /*!...*/ is run by MySQL; an ordinary comment is as good as a space.
      if (comment.startsWith('/*!')) {
        hidden++;
        at += whole.length;
      } else {
        const end = value.indexOf('*/', at + 2);
        if (end < 0) out.push('--');
        else if (isBetweenWords(value, at, end + 2)) hidden++;
        at = end < 0 ? value.length : end + 2;
      }
    } else if (comment !== undefined) {
      const end = value.indexOf('\n', at);
      if (end < 0 || end === value.length - 1) {
        out.push('--');
        at = value.length;
      } else {
        hidden++;
        at = end + 1;
      }
    } else if (number !== undefined) {
      out.push('0');
      at += whole.length;
    } else if (word !== undefined) {
      out.push(word.length > 64 ? 'w' : word.toLowerCase());
      at += whole.length;
    } else if (whole === '*' && value[at + 1] === '/') at += 2;
    else {
      if (whole !== '`') out.push(whole);
      at += whole.length;
    }
  }
  return { text: out.join(' '), hidden };
}

const isBetweenWords = (value: string, start: number, end: number): boolean =>
  /\w/.test(value[start - 1] ?? '') && /[\w(]/.test(value[end] ?? '');
