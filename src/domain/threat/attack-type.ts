import type { Severity } from '../severity.ts';
import { DECOY_KINDS, type DecoyKind } from './decoy.ts';

interface Attack {
  readonly severity: Severity;
  readonly meaning: string;
  /** Other names in use for it: of plugins, OWASP's Core Rule Set, MITRE ATT&CK (`t1110`) and CWE (`cwe_89`). */
  readonly alsoCalled: readonly string[];
}

const attack =
  (severity: Severity) =>
  (meaning: string, alsoCalled = ''): Attack => ({
    severity,
    meaning,
    alsoCalled: alsoCalled.split(' ').filter((name) => name !== ''),
  });
const critical = attack('critical');
const high = attack('high');
const medium = attack('medium');
const low = attack('low');

/**
 * What the feed calls attacks: a closed list, so that no reporter can put words of its own into the feed. After
 * OWASP's Top 10 and its automated threats, MITRE ATT&CK's techniques, and what web application firewalls and malware
 * scanners tell apart. A severity is that of an event of the same name (severity.ts) wherever its words tell one.
 */
const VOCABULARY = {
  // Input that is taken for code.
  sql_injection: high('SQL in a value', 'sqli sqlinjection cwe_89'),
  nosql_injection: high('operators of a document database in a value', 'nosqli no_sql_injection cwe_943'),
  command_injection: high('commands of the system in a value', 'os_injection shell_injection cmdi cwe_78'),
  code_injection: high('program code in a value', 'php_injection eval_injection attack_php cwe_94'),
  template_injection: high("a template engine's expressions in a value", 'ssti cwe_1336'),
  expression_injection: high('expressions of OGNL, SpEL or EL in a value', 'ognl spel el_injection cwe_917'),
  jndi_injection: high('a JNDI lookup in a value', 'jndi log4shell log4j'),
  ldap_injection: high("a directory's filter in a value", 'ldapi cwe_90'),
  xpath_injection: high('XPath or XQuery in a value', 'xquery_injection cwe_643'),
  xml_external_entity: high('an XML entity that reads files or addresses', 'xxe xml_injection cwe_611'),
  header_injection: high(
    'headers added to an answer or a mail, or a Host that leads elsewhere',
    'crlf crlf_injection response_splitting mail_injection host_header cwe_93 cwe_113',
  ),
  prompt_injection: high('instructions to a language model in a value', 'llm_injection jailbreak'),
  insecure_deserialization: critical(
    'a serialised object that runs code when it is read',
    'deserialization object_injection unserialize cwe_502',
  ),
  prototype_pollution: high("properties of JavaScript's base objects in a value", 'cwe_1321'),
  remote_code_execution: critical('code of a stranger is run', 'rce code_execution cwe_95'),

  // What reaches another visitor's browser.
  xss: medium('script in a page of another site', 'cross_site_scripting cwe_79'),
  csrf: medium('a request that a visitor did not mean', 'xsrf cross_site_request_forgery cwe_352'),
  clickjacking: medium('a page in an invisible frame', 'ui_redressing cwe_1021'),
  open_redirect: low('a link of this site that leads to another', 'url_redirection cwe_601'),
  cache_poisoning: high('a hostile answer in a shared cache', 'web_cache_poisoning cache_deception'),
  request_smuggling: high('requests hidden in the framing of another', 'http_desync desync cwe_444'),

  // What the server is made to open or let through.
  ssrf: high('the server is sent to an address inside', 'server_side_request_forgery cwe_918'),
  path_traversal: high('a path out of its folder', 'directory_traversal dir_traversal traversal cwe_22'),
  file_inclusion: high('a file of the server or of another host is run', 'lfi rfi cwe_98'),
  sensitive_file_access: medium(
    'asking for configuration, backups, keys or repositories',
    'env_access config_access backup_access git_exposure file_disclosure source_disclosure',
  ),
  malicious_upload: high('a file that must not be there', 'file_upload unrestricted_upload upload cwe_434'),
  access_control_bypass: high(
    'what belongs to somebody else is reached',
    'idor bola bfla broken_access_control authorization_bypass forced_browsing cwe_639 cwe_862',
  ),
  authentication_bypass: high('access without a login', 'auth_bypass login_bypass mfa_bypass cwe_287'),
  privilege_escalation: high('rights are gained', 'privesc priv_esc t1068 cwe_269'),
  parameter_tampering: medium('prices, amounts or states that are changed', 'parameter_pollution hpp'),
  token_forgery: high('a forged or altered token', 'jwt_forgery jwt_attack jwt'),
  session_hijacking: high('the session of somebody else', 'session_fixation cookie_theft t1539'),
  xmlrpc_abuse: medium("WordPress's XML-RPC as an amplifier", 'xmlrpc xml_rpc pingback'),
  api_abuse: medium('an interface used against its purpose', 'rest_api_abuse graphql_abuse mass_assignment'),
  known_vulnerability: high(
    'an attempt at a published weakness',
    'cve ghsa exploit exploit_attempt shellshock heartbleed spring4shell t1190',
  ),

  // Accounts and what they are worth.
  login_bruteforce: medium(
    'many passwords for an account',
    'brute_force bruteforce login_attack login_failed failed_login login_attempt wp_login t1110',
  ),
  credential_stuffing: medium('stolen pairs of names and passwords', 't1110_004'),
  password_spraying: medium('one password for many accounts', 'password_spray t1110_003'),
  account_takeover: high('an account in the wrong hands', 'ato t1078'),
  account_enumeration: medium(
    'finding out who has an account',
    'user_enumeration username_enumeration t1087',
  ),
  credential_theft: critical(
    'passwords or keys are taken',
    'credential_dumping credential_harvesting t1003 t1555',
  ),
  fake_registration: low('accounts made by machines', 'fake_account account_creation registration_abuse'),
  rogue_admin: critical('an administrator whom nobody appointed', 'rogue_account admin_created t1136'),
  phishing: high('a page or message that asks for secrets', 'spear_phishing spearphishing t1566'),
  card_testing: medium('stolen cards that are tried out', 'carding card_cracking payment_fraud'),

  // What has got in.
  malware: critical('hostile code that was found', 'virus trojan infection infected_file'),
  webshell: critical('a page through which a stranger runs commands', 'web_shell t1505'),
  webshell_upload: critical('such a page is uploaded', 'web_shell_upload'),
  backdoor: critical('a way back in', 'persistence implant rootkit'),
  ransomware: critical('files encrypted for ransom', 'file_encryption t1486'),
  cryptomining: high("mining on somebody else's machine", 'cryptojacking coinminer coin_miner miner t1496'),
  payment_skimmer: critical('script that reads cards in a checkout', 'skimmer magecart formjacking'),
  command_and_control: critical('an infected machine asks for orders', 'c2 cnc beaconing beacon t1071'),
  lateral_movement: critical('from one machine to the next', 't1021'),
  data_exfiltration: critical('data are carried away', 'exfiltration data_theft data_leak t1041 t1048'),
  file_tampering: high(
    'a file changed that never should',
    'file_modified core_file_modified file_change t1565',
  ),
  defacement: high('pages with the words of a stranger', 't1491'),
  malicious_redirect: high('visitors are sent to a hostile site', 'redirect_injection'),
  seo_spam: low('hidden links and pages for search engines', 'spam_injection pharma_hack cloaking'),
  supply_chain_compromise: critical(
    'hostile code in a component or its update',
    'supply_chain supply_chain_attack dependency_confusion typosquatting t1195',
  ),
  defense_evasion: high(
    'a protection is switched off or misled',
    'waf_bypass waf_evasion log_tampering t1562',
  ),

  // Looking around, and being too many.
  vulnerability_scan: low('a scanner tries known weaknesses', 'scan scanner scanning probe probing t1595'),
  port_scan: low('which services are there', 'port_scanning network_scan t1046'),
  directory_enumeration: medium('which paths are there', 'dirbusting content_discovery fuzzing'),
  reconnaissance: low('what runs here, and in which version', 'recon fingerprinting version_probe t1592'),
  content_scraping: low('pages copied by a machine', 'scraping scraper scrape'),
  bad_bot: low('a machine that ignores the rules', 'bot crawler malicious_bot bot_attack fake_crawler'),
  spam: low('comments, forms or mails for advertising', 'comment_spam form_spam referrer_spam email_spam'),
  denial_of_service: medium(
    'so much that others are kept waiting',
    'dos ddos flood http_flood slowloris redos resource_exhaustion xml_bomb zip_bomb t1498 t1499 cwe_400',
  ),
} as const satisfies Record<string, Attack>;

const OTHER = 'other';

/** The name under which the feed publishes an attack. */
export type AttackType = keyof typeof VOCABULARY | `decoy_${DecoyKind}` | typeof OTHER;

/** Touching a decoy has a name by what the decoy looked like. */
const DECOYS = DECOY_KINDS.map((kind) => [
  `decoy_${kind}` as const,
  critical(`a decoy was touched that looked like: ${kind.replaceAll('_', ' ')}`),
]);

const ATTACKS = {
  ...VOCABULARY,
  ...Object.fromEntries(DECOYS),
  [OTHER]: medium('none of these'),
} as Readonly<Record<AttackType, Attack>>;

const entries = Object.entries(ATTACKS) as readonly [AttackType, Attack][];

/** Every name that the feed can publish. */
export const ATTACK_TYPES: readonly AttackType[] = entries.map(([name]) => name);

/** What each of them means, for the contract. */
export const ATTACK_MEANINGS = Object.fromEntries(
  entries.map(([name, { meaning }]) => [name, meaning]),
) as Readonly<Record<AttackType, string>>;

export const severityOfAttack = (type: AttackType): Severity => ATTACKS[type].severity;

const BY_NAME: ReadonlyMap<string, AttackType> = new Map(
  entries.flatMap(([name, { alsoCalled }]) => [name, ...alsoCalled].map((each) => [each, name] as const)),
);

/**
 * The vocabulary's name for an attack as a reporter names it: that of the longest run of its words that is a name in
 * use, the first of several, so that `http_request_smuggling_via_http2` and `xss-reflected` are understood; `other`
 * when there is none. Any other text may be anything, a person's name included, and is neither kept nor published.
 */
export function attackTypeOf(reported: string): AttackType {
  const words = reported.toLowerCase().split(/[_-]/);
  for (let length = words.length; length > 0; length--) {
    for (let start = 0; start + length <= words.length; start++) {
      const known = BY_NAME.get(words.slice(start, start + length).join('_'));
      if (known !== undefined) return known;
    }
  }
  return OTHER;
}
