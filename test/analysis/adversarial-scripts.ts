import { fill } from './fill.ts';

/** Slow scripts of 64 KiB: some look like tables, some like PHP. */
export const SCRIPT_INPUTS: Readonly<Record<string, string>> = {
  'scripts that name PHP': fill('<?php let ', 'var a={};'),
  'scripts that name PHP in texts': fill("'<?php ';x={", 'var a=1;'),
  'names that share words': Array.from({ length: 4_000 }, (_, at) => `bcdfg${at}hjklm=a_1b${at}c2;`).join(''),
  'names of letters and digits': fill('a1b', 'var '),
  'lists of two letters': `${fill('AF|', 'var a="').slice(0, -2)}";`,
  'lists of words in commas': fill('"ab,cd,ef,",', 'var a=['),
  'comments of one line': fill('// a ', 'var a;'),
  'environments that are handed on': fill(
    'f(process.env,cwd);',
    "require('https');require('child_process');JSON.stringify(hostname());",
  ),
  'tables without a call': fill('{a:"bc",d:["ef"]},', 'var a=['),
};
