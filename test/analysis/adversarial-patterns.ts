import { fill } from './fill.ts';

/** The same for single patterns that one text can slow down. */
export const PATTERN_INPUTS: Readonly<Record<string, string>> = {
  'fields of IIS before a line of their own': `2026-01-01 11:11:11 GET / ${'a'.repeat(60_000)}\u2028x`,
  'names of copies that ask': `<?php $a="${'?'.repeat(30_000)}\\n";${"copy('http://a',$a);".repeat(1_700)}`,
  'rights of a download': fill('exec($a);', `<?php $a='wget a;chmod ${'7'.repeat(3_900)}';`),
  'brackets behind a command': `<?php exec('wget http://a; ${')'.repeat(3_900)}x');`,
  'filters of placeholders': fill(`{{${' - a.self | a :  '.repeat(12)}! }}`, 'POST / HTTP/1.1\n\nq='),
  'letters before no operator': `GET /?q='or 1=1 ${'a'.repeat(1_900)}--`,
};
