import type { Category } from './categories.ts';
import type { InputType } from './contents.ts';
import type { Verdict } from './verdict.ts';

type Firsts = Readonly<Record<'malicious' | 'suspicious', string>>;

const PATCH_INPUT = 'Block the request, and accept only permitted values for this parameter on the server.';
const SHELL =
  'Look for other files changed at the same time, rotate all credentials of the site, and find out how the file got there.';
const LINK = 'Do not open the URL. Remove links to it, and warn everyone who may have followed one.';

/** Recommended actions by type of content and verdict, then by category. */
const RECOMMENDATIONS: Readonly<Record<InputType, Firsts>> & {
  readonly category: Readonly<Partial<Record<Category, string>>>;
} = {
  code: {
    malicious:
      'Move the file out of reach of the web server, keep a copy as evidence, and restore the original from a trusted source.',
    suspicious:
      'Compare the file with the original from its vendor, and have it reviewed by someone other than its author.',
  },
  request: {
    malicious: 'Block the client temporarily, and check the access log for its other requests.',
    suspicious: 'Watch the client, and check what response it got.',
  },
  log: {
    malicious:
      'Check the status codes of the requests in these lines: status 200 may mean that an attack succeeded.',
    suspicious: 'Check what the same client did before and afterwards.',
  },
  url: {
    malicious: LINK,
    suspicious: 'Open the URL only in an isolated environment, and check who owns the domain.',
  },
  text: {
    malicious: 'Do not publish the text and do not follow its links.',
    suspicious: 'Hold the text for review.',
  },
  category: {
    web_shell: SHELL,
    code_execution: SHELL,
    dropper: SHELL,
    obfuscation: 'Do not install code that you cannot read.',
    file_access: 'Prevent PHP from reading files outside its own folders (open_basedir).',
    mailer: 'Check the mail queue, and check whether the host is on block lists.',
    malicious_script:
      'Look for the same script in the database, in the theme and in all scripts of the site.',
    skimmer:
      'Take the payment page offline and inform your payment provider: card data may have been stolen.',
    crypto_miner: 'Remove the script, and find out how it got into the page.',
    sql_injection: 'Use prepared statements with bound parameters in the code that takes this parameter.',
    xss: 'Escape the value for the context in which it is shown, and set a Content-Security-Policy.',
    path_traversal: 'Resolve the path, and refuse paths that lead out of their folder.',
    file_inclusion: 'Include only files from a fixed list, and turn off allow_url_include.',
    command_injection: 'Call programs with a list of arguments and without a shell.',
    template_injection: 'Never build templates from request input.',
    expression_injection:
      'Update the libraries that evaluate expressions, and turn off evaluation for request input.',
    ssrf: 'Let the server open only addresses from a fixed list, and no internal ones.',
    deserialization: 'Accept JSON with a schema instead of serialized objects.',
    xxe: 'Turn off external entities and document types in the XML parser.',
    ldap_injection: 'Escape values in LDAP filters and XPath expressions.',
    nosql_injection: 'Accept only strings and numbers for this field, not objects.',
    header_injection: 'Refuse line breaks in values that become part of a header.',
    open_redirect: 'Redirect only to paths of your own site.',
    php_injection: PATCH_INPUT,
    probing:
      'Make sure that the web root contains no backups, version-control folders or configuration files.',
    scanner: 'Limit the request rate per client.',
    brute_force: 'Limit failed logins, and require a second factor.',
    intrusion:
      'Disconnect the host from the network before you investigate, and change every password that was used on it.',
    phishing: 'Report the URL to its hosting provider and to the owner of the imitated name.',
    fraud:
      'Do not pay or send anything until you have contacted the supposed sender through another channel.',
    malicious_url: LINK,
    redirect: 'Look for the redirect in .htaccess, in the theme and in the database.',
    hidden_content: 'Compare the page that search engines get with the page that visitors get.',
    spam: 'Require a CAPTCHA or an account before you accept texts.',
    prompt_injection: 'Do not pass the text to a language model that has tools or access rights.',
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
