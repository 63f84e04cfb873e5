/** The meaning of a category and its reference. */
export interface CategoryFacts {
  readonly meaning: string;
  /** Entry in a public catalogue: MITRE ATT&CK, CWE, OWASP or an RFC. */
  readonly source: string;
}

const facts = (meaning: string, source: string): CategoryFacts => ({ meaning, source });

/** The possible values of `categories` in an answer. */
export const CATEGORIES = {
  web_shell: facts('a page that runs what its caller sends', 'ATT&CK T1505.003'),
  code_execution: facts('code or commands that are put together at run time', 'CWE-94'),
  obfuscation: facts('code that hides what it does', 'ATT&CK T1027'),
  dropper: facts('code that brings further files or programs', 'ATT&CK T1105'),
  file_access: facts(
    'code that reads or changes files and accounts which are not its business',
    'ATT&CK T1005',
  ),
  mailer: facts('code that sends mail for its caller', 'ATT&CK T1496'),
  malicious_script: facts('a script that attacks visitors or the host that runs it', 'ATT&CK T1059.007'),
  skimmer: facts('code that takes card data, passwords or forms', 'ATT&CK T1056.003'),
  crypto_miner: facts('code that mines cryptocurrency', 'ATT&CK T1496.001'),
  redirect: facts('code that sends visitors elsewhere', 'ATT&CK T1189'),
  sql_injection: facts('SQL in a value', 'CWE-89'),
  xss: facts('markup or script in a value', 'CWE-79'),
  path_traversal: facts('a path that leads out of its folder', 'CWE-22'),
  command_injection: facts('a shell command in a value', 'CWE-78'),
  template_injection: facts('a template in a value', 'CWE-1336'),
  ssrf: facts('an address inside of the network', 'CWE-918'),
  deserialization: facts('a serialised object', 'CWE-502'),
  xxe: facts('an external entity in XML', 'CWE-611'),
  ldap_injection: facts('an LDAP filter in a value', 'CWE-90'),
  nosql_injection: facts('an operator of a document database in a value', 'CWE-943'),
  header_injection: facts('line ends that begin a new header', 'CWE-113'),
  open_redirect: facts('an address of another host where one of the site belongs', 'CWE-601'),
  php_injection: facts('PHP in a value', 'CWE-95'),
  expression_injection: facts('an expression of a library in a value', 'CWE-917'),
  file_inclusion: facts('a file that is to be run as code', 'CWE-98'),
  scanner: facts('a program that looks for weaknesses', 'ATT&CK T1595.002'),
  probing: facts('requests for files that no page links to', 'ATT&CK T1595.003'),
  brute_force: facts('passwords tried in turn', 'ATT&CK T1110'),
  intrusion: facts('actions of an intruder on the host', 'ATT&CK T1136, T1070, T1548'),
  phishing: facts('a pretence to get passwords or card data', 'ATT&CK T1566'),
  fraud: facts('a pretence to get money', 'ATT&CK T1657'),
  malicious_url: facts('an address that leads to malware or a copy of another site', 'ATT&CK T1204.001'),
  spam: facts('unsolicited bulk messages', 'RFC 2635'),
  hidden_content: facts('text or links that readers do not see', 'ATT&CK T1564'),
  prompt_injection: facts('orders to a language model', 'OWASP LLM01:2025'),
} as const satisfies Readonly<Record<string, CategoryFacts>>;
export type Category = keyof typeof CATEGORIES;
export const CATEGORY_NAMES = Object.keys(CATEGORIES) as Category[];
