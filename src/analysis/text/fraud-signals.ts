import { signal } from '../signal.ts';

/** Frauds and offers that are told by things near to each other. Weights as in php/signals.ts. */
export const FRAUD = {
  ransom: signal('fraud', 5.6, 'files that are locked, and money or contact demanded for them'),
  leak: signal('fraud', 5.4, 'stolen data that will be published unless the reader does something'),
  threat: signal('fraud', 4.6, 'money demanded under a threat'),
  claimNow: signal('fraud', 3.6, 'a prize that is to be claimed at once or with personal data'),
  newAccount: signal('fraud', 4.2, 'payments or wages to go to a new account'),
  code: signal('phishing', 5, 'a code that the reader got, asked for'),
  homeJob: signal('fraud', 4, 'work at home that pays by the day'),
  parcelsPassedOn: signal('fraud', 4.2, 'parcels of others to be received and passed on'),
  suitor: signal('fraud', 4, 'a distant admirer who asks for affection or money'),
  growth: signal('fraud', 4.4, 'money that grows many times within days'),
  recovery: signal('fraud', 4.2, 'an offer to recover lost money'),
  breachCall: signal('fraud', 4.2, 'an alarm, and a number to call at once'),
  infringement: signal('phishing', 4.6, 'a reproach of theft of pictures, with its evidence behind a link'),
  linkDemanded: signal('spam', 3.6, 'a link demanded in place of a lawsuit'),
  domain: signal('phishing', 3.4, 'a domain that ends unless it is paid for at once'),
  register: signal('fraud', 3.8, 'a fee or an objection for a register of names or trademarks'),
  packedDocument: signal('phishing', 4.2, 'an urgent invoice that is an archive or a program'),
  siteOffer: signal('spam', 4, 'an offer to the owner of the site'),
  easyLoan: signal('spam', 3.6, 'a loan that asks for no security'),
  papers: signal('fraud', 4.4, 'licences, certificates or theses for sale'),
  luxury: signal('spam', 2, 'luxury at a price that it never has'),
} as const;
