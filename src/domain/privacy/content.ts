/**
 * Whether a text looks like a part of a file: several lines, more than a few words, markup, code or a statement of SQL. A word
 * outside of the vocabulary does not, nor does a measure such as `>30d` or `1-7 days (estimated)`.
 */
export function hasContent(text: string): boolean {
  const trimmed = text.trim();
  return (
    LINE_BREAK.test(trimmed) ||
    CODE.test(trimmed) ||
    trimmed.split(WHITE_SPACE).length > WORDS_MAX ||
    hasStatement(trimmed)
  );
}

const LINE_BREAK = /[\n\r\u2028\u2029]/;
const WHITE_SPACE = /\s+/;
const WORDS_MAX = 5;

/** A tag, a block, an end of a statement, a variable, a call, an operator of two signs, a comment. */
const CODE = /<[a-z?%!/]|[?%/]>|[{};`]|\$[a-z_({]|[a-z0-9_]\(|=>|->|&&|\|\||[=!]=|:=|#!|\/\*|\*\//i;

/** The first words of SQL statements, anywhere in a text and with anything between the words. */
const STATEMENTS = new Set(
  (
    'insert into, replace into, delete from, drop table, drop database, drop view, create table, create database, ' +
    'create view, alter table, truncate table, lock tables, union select, union all, select distinct'
  ).split(', '),
);

function hasStatement(text: string): boolean {
  const words: readonly string[] = text.toLowerCase().match(/[a-z_]+/g) ?? [];
  const selects = words.indexOf('select');
  return (
    (selects >= 0 && words.includes('from', selects)) ||
    words.some((word, index) => STATEMENTS.has(`${word} ${words[index + 1]}`))
  );
}
