import { type Signal, signal } from '../signal.ts';

/** Signals in languages other than PHP and JavaScript. */
export const SCRIPT = {
  commandOfRequest: signal('web_shell', 'sure', 'a page runs commands and takes request input'),
  codeOfRequest: signal('web_shell', 'sure', 'request input is run as code or loaded as a class'),
  fileOfRequest: signal('dropper', 'sure', 'request input is written to a file that it names'),
  reverseShell: signal('web_shell', 'sure', 'a shell is connected to another host'),
  hostileCommand: signal(
    'dropper',
    'sure',
    'a program is downloaded from a bare address or into a hidden place, and run',
  ),
  hiddenRun: signal('obfuscation', 'sure', 'decoded content is run'),
  hiddenWindow: signal('dropper', 'sure', 'PowerShell runs out of sight or with an encoded command'),
  persistence: signal('dropper', 'sure', 'a job, key or library is installed so that a download comes back'),
  stealer: signal('file_access', 'sure', 'passwords of browsers, wallets or keys are read and sent away'),
  miner: signal('crypto_miner', 'sure', 'a crypto miner'),
  coversTracks: signal('obfuscation', 'hint', 'logs or the history of commands are wiped'),
  brand: signal('web_shell', 'sure', 'the name of a known web shell or hacking group'),
} as const satisfies Record<string, Signal>;
