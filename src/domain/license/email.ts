const EMAIL = /^[^\s@<>()[\]:;,"\\]{1,64}@[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])$/;
const EMAIL_CHARACTERS_MAX = 254;
/** The addresses that are written in ASCII: {@link canonicalEmail} reads all of them. */
export const EMAIL_TEXT =
  /^[A-Za-z0-9!#$%&'*/=?^_`{|}~.-][A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{0,63}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,186}[A-Za-z0-9])$/;
/** Invisible characters, which no mailbox's name contains. */
const INVISIBLE = /[\p{C}\p{Default_Ignorable_Code_Point}]/u;

/** Providers with several spellings of a mailbox: these domains, with or without these characters. */
const PROVIDERS: readonly { readonly domains: readonly string[]; readonly ignored: RegExp }[] = [
  // https://support.google.com/mail/answer/7436150
  { domains: ['gmail.com', 'googlemail.com'], ignored: /\./g },
  // removeEmailAlias in https://github.com/ProtonMail/WebClients
  { domains: ['proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me'], ignored: /[._-]/g },
];

/**
 * One spelling for every address of a mailbox: compatibility characters replaced (NFKC), case folded, without a `+tag` and what
 * its provider ignores.
 *
 * @returns undefined when the text is not an e-mail address, or contains an invisible character
 */
export function canonicalEmail(text: string): string | undefined {
  const given = text.trim();
  if (INVISIBLE.test(given)) return undefined;
  const email = foldCase(given.normalize('NFKC')).normalize('NFKC');
  if (email.length > EMAIL_CHARACTERS_MAX || !EMAIL.test(email)) return undefined;
  const [local = '', domain = ''] = email.split('@');
  const [name = ''] = local.split('+');
  const provider = PROVIDERS.find(({ domains }) => domains.includes(domain));
  const mailbox = provider ? name.replace(provider.ignored, '') : name;
  return mailbox === '' ? undefined : `${mailbox}@${provider?.domains[0] ?? domain}`;
}

/** By way of upper case, so that `ß` and `ss`, which are the same there, become the same. */
const foldCase = (text: string): string => text.toLowerCase().toUpperCase().toLowerCase();
