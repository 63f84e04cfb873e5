import { decodeUrl } from '../decode.ts';
import type { Field } from './field-list.ts';
import { isSetting, nameOf } from './writing.ts';

const JOINED_MAX = 20;
const CHARS_MAX = 4 * 1024;
/** Signs of an injection split into pieces; plain words of a list do not form a statement. */
const PIECE = /['"]|\/\*|\*\/|--|#|\d\s?\)|^-?\d{1,10} (?:union|or|and)\b/i;

const keyOf = ({ kind, name = '' }: Field): string => `${kind} ${name.replace(/\[[^\]]{0,80}\]$/, '')}`;

/** Decodes a form value. */
const plain = (value: string): string => decodeUrl(value.replaceAll('+', ' '));

/**
 * Values that a server may concatenate before a database reads them: values of the same name or list, and a query in which a
 * comment hides the text between two values. These are searched only for SQL.
 */
export function joinedOf(fields: readonly Field[], content: string): readonly string[] {
  const groups = new Map<string, string[]>();
  for (const field of fields) {
    if ((field.kind !== 'query' && field.kind !== 'body') || field.name === undefined) continue;
    // Several messages or snippets are not concatenated.
    if (isSetting(nameOf(field)) || /^(?:inputs?|words?|prompts?|terms)$/i.test(field.name)) continue;
    const key = keyOf(field);
    const values = groups.get(key);
    if (values) values.push(field.value);
    else groups.set(key, [field.value]);
  }
  const joined: string[] = [];
  for (const values of groups.values()) {
    if (values.length < 2 || joined.length >= JOINED_MAX) continue;
    const text = plain(values.slice(0, JOINED_MAX).join(' ').slice(0, CHARS_MAX));
    if (PIECE.test(text)) joined.push(text);
  }
  const query = /^[A-Z]{3,10} \S{0,2000}?\?(\S{1,4000})/.exec(content)?.[1] ?? '';
  const text = plain(query);
  if (/\/\*[^*]{0,80}&[^*]{0,80}\*\//.test(text)) joined.push(text.slice(text.indexOf('=') + 1));
  return joined;
}
