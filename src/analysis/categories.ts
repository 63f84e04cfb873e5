/** The meaning of a category and its reference. */
export interface CategoryFacts {
  readonly meaning: string;
  /** Entry in a public catalogue: MITRE ATT&CK, CWE, OWASP or an RFC. */
  readonly source: string;
}

const facts = (meaning: string, source: string): CategoryFacts => ({ meaning, source });

/** The possible values of `categories` in an answer. */
export const CATEGORIES = {
  web_shell: facts('a page that runs code or commands sent to it', 'ATT&CK T1505.003'),
  code_execution: facts('code or commands assembled at run time', 'CWE-94'),
  obfuscation: facts('code that hides what it does', 'ATT&CK T1027'),
  dropper: facts('code that installs further files or programs', 'ATT&CK T1105'),
  file_access: facts(
    'code that reads or changes files and accounts that it should not access',
    'ATT&CK T1005',
  ),
  mailer: facts('code that sends mail for anyone who calls it', 'ATT&CK T1496'),
  malicious_script: facts('a script that attacks visitors or the host that runs it', 'ATT&CK T1059.007'),
  skimmer: facts('code that steals card data, passwords or form input', 'ATT&CK T1056.003'),
  crypto_miner: facts('code that mines cryptocurrency', 'ATT&CK T1496.001'),
  redirect: facts('code that redirects visitors to other sites', 'ATT&CK T1189'),
  sql_injection: facts('SQL in a value', 'CWE-89'),
  xss: facts('markup or script in a value', 'CWE-79'),
  path_traversal: facts('a path that leads out of its folder', 'CWE-22'),
  command_injection: facts('a shell command in a value', 'CWE-78'),
  template_injection: facts('a template in a value', 'CWE-1336'),
  ssrf: facts('an internal network address in a value', 'CWE-918'),
  deserialization: facts('a serialized object in a value', 'CWE-502'),
  xxe: facts('an external entity in XML', 'CWE-611'),
  ldap_injection: facts('an LDAP filter in a value', 'CWE-90'),
  nosql_injection: facts('a NoSQL operator in a value', 'CWE-943'),
  header_injection: facts('line breaks that start a new header', 'CWE-113'),
  open_redirect: facts('a URL of another host where the site expects its own', 'CWE-601'),
  php_injection: facts('PHP in a value', 'CWE-95'),
  expression_injection: facts('code of an expression language in a value', 'CWE-917'),
  file_inclusion: facts('a file to be included and run as code', 'CWE-98'),
  scanner: facts('a tool that looks for vulnerabilities', 'ATT&CK T1595.002'),
  probing: facts('requests for files that no page links to', 'ATT&CK T1595.003'),
  brute_force: facts('many passwords tried one after the other', 'ATT&CK T1110'),
  intrusion: facts('actions of an intruder on the host', 'ATT&CK T1136, T1070, T1548'),
  phishing: facts('deception to obtain passwords or card data', 'ATT&CK T1566'),
  fraud: facts('deception to obtain money', 'ATT&CK T1657'),
  malicious_url: facts('a URL that leads to malware or to an imitation of another site', 'ATT&CK T1204.001'),
  spam: facts('unsolicited bulk messages', 'RFC 2635'),
  hidden_content: facts('text or links hidden from readers', 'ATT&CK T1564'),
  prompt_injection: facts('instructions to a language model', 'OWASP LLM01:2025'),
} as const satisfies Readonly<Record<string, CategoryFacts>>;
export type Category = keyof typeof CATEGORIES;
export const CATEGORY_NAMES = Object.keys(CATEGORIES) as Category[];
