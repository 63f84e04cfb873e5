import type { Category, Signal } from './signal.ts';

const signal = (category: Category, weight: number, what: string): Signal => ({ category, weight, what });

/** What can be found in an address. Weights as in php/signals.ts. */
export const URL_SIGNALS = {
  scriptScheme: signal('malicious_url', 7, 'an address that runs script'),
  address: signal('malicious_url', 4.2, 'a host that is a bare IP address'),
  disguisedAddress: signal('malicious_url', 6, 'an IP address in a form that nobody reads'),
  userInfo: signal('phishing', 5, 'a host name in front of the real host'),
  punycode: signal('phishing', 3, 'letters of another alphabet that look alike'),
  mixedScripts: signal('phishing', 5, 'letters of several alphabets in one name'),
  brandElsewhere: signal('phishing', 4.6, 'the name of a well-known service on a host that is not its own'),
  brandOtherEnding: signal('phishing', 3, 'the name of a well-known service under another ending'),
  brandMisspelt: signal('phishing', 4.8, 'a misspelt name of a well-known service'),
  ownNameElsewhere: signal('phishing', 5, "the site's own name on another host"),
  manyLabels: signal('phishing', 2, 'many names before the domain'),
  hyphens: signal('phishing', 1.8, 'many hyphens in the host'),
  randomHost: signal('malicious_url', 2.6, 'a host of random letters and digits'),
  digits: signal('malicious_url', 1.2, 'many digits in the host'),
  cheapEnding: signal('malicious_url', 2, 'an ending that is often abused'),
  abusedHosting: signal('phishing', 3.3, 'a page on a host where anybody can set one up, often abused'),
  freeHosting: signal('phishing', 2, 'a page that anybody can set up for nothing'),
  shortener: signal('malicious_url', 2, 'a shortened address that hides where it leads'),
  baitWords: signal('phishing', 2.4, 'words that ask for a login, a payment or a confirmation'),
  executable: signal('malicious_url', 4.2, 'a program to download'),
  doubleEnding: signal('malicious_url', 4, 'a file with two endings'),
  cmsPath: signal('malicious_url', 3.6, 'a script or page in a folder that holds none in a healthy site'),
  randomPathAlone: signal('malicious_url', 3.2, 'nothing but a path of random letters'),
  randomPath: signal('malicious_url', 2.4, 'a path of random letters'),
  oddPort: signal('malicious_url', 3.2, 'a port that web sites do not use'),
  addressInside: signal('open_redirect', 1.5, 'another address inside of the address'),
  mailInside: signal('phishing', 4, 'a mail address inside of the address'),
  plainHttp: signal('malicious_url', 0.5, 'no encryption'),
  malformed: signal('malicious_url', 1, 'no well-formed address'),
  wellKnown: signal('malicious_url', -2.5, 'the own host of a well-known service'),
} as const satisfies Record<string, Signal>;
