import { type Signal, signal } from '../signal.ts';

/** Signals in languages other than PHP and JavaScript. */
export const SCRIPT = {
  commandOfRequest: signal('web_shell', 'sure', 'a page that reads request input and runs commands'),
  codeOfRequest: signal('web_shell', 'sure', 'request input is run as code or loaded as a class'),
  fileOfRequest: signal('dropper', 'sure', 'request input chooses a file and the content to write'),
  reverseShell: signal('web_shell', 'sure', 'a reverse shell'),
  hostileCommand: signal(
    'dropper',
    'sure',
    'a program is downloaded from a bare IP address or to a hidden folder, and run',
  ),
  hiddenRun: signal('obfuscation', 'sure', 'decoded content is run'),
  hiddenWindow: signal('dropper', 'sure', 'PowerShell runs hidden or with an encoded command'),
  persistence: signal(
    'dropper',
    'sure',
    'a scheduled job, SSH key or preloaded library is installed for later access',
  ),
  stealer: signal(
    'file_access',
    'sure',
    'browser passwords, wallets or keys are read and sent to another host',
  ),
  miner: signal('crypto_miner', 'sure', 'a crypto miner'),
  coversTracks: signal('obfuscation', 'hint', 'logs or the command history are wiped'),
  brand: signal('web_shell', 'sure', 'the name of a known web shell or hacking group'),
} as const satisfies Record<string, Signal>;
