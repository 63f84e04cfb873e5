import { type Signal, signal } from '../signal.ts';

/** What can be found in other languages than PHP and JavaScript. Weights as in php/signals.ts. */
export const SCRIPT = {
  commandOfRequest: signal('web_shell', 6.5, 'a page runs commands and takes request input'),
  codeOfRequest: signal('web_shell', 7, 'request input is run as code or loaded as a class'),
  fileOfRequest: signal('dropper', 5, 'request input is written to a file that it names'),
  reverseShell: signal('web_shell', 6.5, 'a shell is connected to another host'),
  hostileCommand: signal(
    'dropper',
    5.5,
    'a program is downloaded from a bare address or into a hidden place, and run',
  ),
  hiddenRun: signal('obfuscation', 5.5, 'decoded content is run'),
  hiddenWindow: signal('dropper', 5, 'PowerShell runs out of sight or with an encoded command'),
  persistence: signal('dropper', 5, 'a job, key or library is installed so that a download comes back'),
  stealer: signal('file_access', 5, 'passwords of browsers, wallets or keys are read and sent away'),
  miner: signal('crypto_miner', 6, 'a crypto miner'),
  coversTracks: signal('obfuscation', 2, 'logs or the history of commands are wiped'),
  brand: signal('web_shell', 4.5, 'the name of a known web shell or hacking group'),
} as const satisfies Record<string, Signal>;
