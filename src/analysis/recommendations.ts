import type { Category } from './categories.ts';
import type { InputType } from './contents.ts';
import type { Verdict } from './verdict.ts';

type Firsts = Readonly<Record<'malicious' | 'suspicious', string>>;

const PATCH_INPUT = 'Block the request and check the parameter on the server against what it may hold.';
const SHELL =
  'Look for other files changed at the same time, rotate all credentials of the site, and find how the file came in.';
const LINK = 'Do not open the address; remove links to it and warn those who may have followed one.';

/** Recommended actions by type of content and verdict, then by category. */
const RECOMMENDATIONS: Readonly<Record<InputType, Firsts>> & {
  readonly category: Readonly<Partial<Record<Category, string>>>;
} = {
  code: {
    malicious:
      'Take the file out of reach of the web server, keep a copy as evidence, and restore the original from a trusted source.',
    suspicious:
      'Compare the file with the original from its vendor, and have it reviewed by someone other than its author.',
  },
  request: {
    malicious: 'Block the sender for a while and look in the access log for what else it asked for.',
    suspicious: 'Watch the sender and look at the answer that it got.',
  },
  log: {
    malicious:
      'Look at the answers to the requests of the named lines: status 200 may mean that one succeeded.',
    suspicious: 'Look at what the same sender did before and afterwards.',
  },
  url: {
    malicious: LINK,
    suspicious: 'Open the address only where it can do no harm, and check who owns the domain.',
  },
  text: {
    malicious: 'Do not publish the text and do not follow its links.',
    suspicious: 'Hold the text for review.',
  },
  category: {
    web_shell: SHELL,
    code_execution: SHELL,
    dropper: SHELL,
    obfuscation: 'Do not accept unreadable code.',
    file_access: 'Forbid the web server to read outside of its own folders (open_basedir).',
    mailer: 'Check the mail queue and whether the host is on block lists.',
    malicious_script:
      'Look for the same script in the database, in the theme and in all scripts of the site.',
    skimmer: 'Take the payment page off line and tell your payment provider: card data may have been read.',
    crypto_miner: 'Remove the script and look for how it got into the page.',
    sql_injection: 'Use prepared statements with bound parameters in the code that takes this parameter.',
    xss: 'Escape the value for the place where it is shown, and set a Content-Security-Policy.',
    path_traversal: 'Resolve the path and refuse what leads out of its folder.',
    file_inclusion: 'Include only files from a fixed list; switch off allow_url_include.',
    command_injection: 'Call programs with a list of arguments and without a shell.',
    template_injection: 'Never build templates from what a caller sends.',
    expression_injection:
      'Update the libraries that evaluate expressions, and switch such evaluation off for what callers send.',
    ssrf: 'Let the server open only addresses from a fixed list, and none inside of the network.',
    deserialization: 'Take JSON with a schema in place of serialised objects.',
    xxe: 'Switch off external entities and document types in the XML parser.',
    ldap_injection: 'Escape what is put into filters and paths.',
    nosql_injection: 'Take only texts and numbers where a text or a number belongs.',
    header_injection: 'Refuse line breaks in what becomes a header.',
    open_redirect: 'Redirect only to paths of the own site.',
    php_injection: PATCH_INPUT,
    probing:
      'Make sure that no backups, version-control folders or configuration files lie below the web root.',
    scanner: 'Limit how often one sender may ask.',
    brute_force: 'Limit failed logins, and ask for a second factor.',
    intrusion:
      'Take the host off the network before you look further, and change every password that was used there.',
    phishing: 'Report the address to its host and to the owner of the imitated name.',
    fraud: 'Pay nothing and send nothing before you have asked the supposed sender in another way.',
    malicious_url: LINK,
    redirect: 'Look for the redirect in .htaccess, in the theme and in the database.',
    hidden_content: 'Compare the page as a search engine gets it with the page as a visitor does.',
    spam: 'Ask for a solved challenge or an account before texts are accepted.',
    prompt_injection: 'Do not hand the text to a language model together with instructions or rights.',
  },
};

/** The recommended actions for a verdict, in order; empty if it is clean. */
export function recommend(verdict: Verdict, inputType: InputType, categories: readonly Category[]): string[] {
  if (verdict === 'clean') return [];
  const advice = [
    RECOMMENDATIONS[inputType][verdict],
    ...categories.map((category) => RECOMMENDATIONS.category[category]),
  ];
  return [...new Set(advice.filter((text) => text !== undefined))];
}
