import type { Named } from './index.ts';

/** Joined here, so that no scanner takes this file for what it is about. */
const joined = (...pieces: readonly string[]) => pieces.join('');
const request = (value: string) =>
  `GET /ping?host=${encodeURIComponent(value)} HTTP/1.1\nHost: shop.example\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64)\n\n`;
const after = (command: string) => request(`8.8.8.8; ${command}`);
const $ = '$';
const WHO = joined('who', 'ami');

/** How one command is written so that a shell still runs it, and a text with the same mark that runs nothing. */
const WRITTEN: Readonly<Record<string, readonly [command: string, harmless: string]>> = {
  'an unset parameter behind it': [`${WHO}${$}x`, `due${$}x`],
  'an unset parameter before it': [`${$}x ${WHO}`, `${$}x per month`],
  'an unset parameter in it': [`who${$}x''ami`, `note${$}x''book`],
  'quotes and an unset parameter': [`"${$}x"${WHO}`, `"${$}x"due`],
  'all parameters behind it': [`${WHO}${$}@`, `due${$}@`],
  'all parameters as one': [`${WHO}${$}*`, `due${$}*`],
  'a positional parameter': [`${WHO}${$}1`, `about ${$}1,000`],
  'no last process': [`${WHO}${$}!`, `due${$}!`],
  'the number of parameters, which is part of the word': [`${WHO};x${$}#`, `${WHO}${$}#`],
  'an unset parameter in braces': [`${WHO}${$}{x}`, `due ${$}{x}`],
  'an element of a list': [`${WHO}${$}{x[0]}`, `due${$}{x[0]}`],
  'empty quotes': ["who''ami", "note''book"],
  'an escape': ['w\\hoami', 'n\\otebook'],
  'only escapes': ['\\w\\h\\o\\a\\m\\i', '\\d\\d\\d|\\w\\w'],
  'escapes in quotes': [`${$}'\\x77hoami'`, `${$}'\\x6eotebook'`],
  'quotes of a language': [`w${$}"h"oami`, `n${$}"o"tebook`],
  'the separator of fields': [`cat${$}IFS/etc/passwd`, `due${$}IFS/month`],
  'a list in braces': ['{cat,/etc/passwd}', '{due,/month}'],
  'a list with nothing first': [`{,${WHO}}`, '{,notebook}'],
  'back-ticks': [`\`${WHO}\``, '`notebook`'],
  'an empty substitution': [`who${$}()ami`, `note${$}()book`],
  'an empty substitution before it': [`${$}()${WHO}`, `${$}()notebook`],
  'a substitution that prints nothing': [`who${$}(true)ami`, `note${$}(true)book`],
  'a short substitution that prints nothing': [`who${$}( : )ami`, `note${$}( : )book`],
  'back-ticks that print nothing': ['who`false`ami', 'note`false`book'],
  'a pattern for a name': ['/???/c?t /etc/passwd', '/products/c?t'],
  'a pattern for its folder': ['/u?r/b?n/w?oami', '/api/*/due'],
  'the shell itself': [`${$}0 -c ${WHO}`, `${$}0 due; shipping ${$}0`],
  'an assignment before it': [`x=1 ${WHO}`, 'x=1 notebook'],
  'a redirection before it': [`>x ${WHO}`, '>x notebook'],
  'its opposite': [`! ${WHO}`, '! important'],
  'a group': [`{ ${WHO}; }`, '{ notebook; }'],
  'a word that has it run': [`command ${WHO}`, 'command line'],
};

const named = (of: (pair: readonly [string, string]) => string, label: string): Named =>
  Object.fromEntries(Object.entries(WRITTEN).map(([how, pair]) => [`${label} with ${how}`, of(pair)]));

export const MALICIOUS_SHELL_WORDS: Named = named(([command]) => after(command), 'a command');
export const CLEAN_SHELL_WORDS: Named = {
  ...named(([, harmless]) => after(harmless), 'a text'),
  prices: request(`Price is ${$}5 for a pair; ${$}9 for three`),
  'a column of a view': request(`sort=name; stats${$}daily`),
  'a template of text': request(`Dear ${$}{customer.name}, your order ${$}{order} is on its way`),
  'names of a shop': request("O'Brien's; Levi's"),
  'a pattern with classes': request('^\\s|\\w$'),
};
