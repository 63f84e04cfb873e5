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
  sql_injection: high('SQL in an input', 'sqli sqlinjection cwe_89'),
  nosql_injection: high('NoSQL operators in an input', 'nosqli no_sql_injection cwe_943'),
  command_injection: high('system commands in an input', 'os_injection shell_injection cmdi cwe_78'),
  code_injection: high('program code in an input', 'php_injection eval_injection attack_php cwe_94'),
  template_injection: high('template engine expressions in an input', 'ssti cwe_1336'),
  expression_injection: high('OGNL, SpEL or EL expressions in an input', 'ognl spel el_injection cwe_917'),
  jndi_injection: high('JNDI lookup in an input', 'jndi log4shell log4j'),
  ldap_injection: high('LDAP filter in an input', 'ldapi cwe_90'),
  xpath_injection: high('XPath or XQuery in an input', 'xquery_injection cwe_643'),
  xml_external_entity: high('XML entity that reads files or URLs', 'xxe xml_injection cwe_611'),
  header_injection: high(
    'headers injected into a response or mail, or a forged Host header',
    'crlf crlf_injection response_splitting mail_injection host_header cwe_93 cwe_113',
  ),
  prompt_injection: high('instructions to a language model in an input', 'llm_injection jailbreak'),
  insecure_deserialization: critical(
    'serialized object that runs code when deserialized',
    'deserialization object_injection unserialize cwe_502',
  ),
  prototype_pollution: high('properties of JavaScript base objects in an input', 'cwe_1321'),
  remote_code_execution: critical('execution of attacker code', 'rce code_execution cwe_95'),

  // What reaches another visitor's browser.
  xss: medium('script injected into a page', 'cross_site_scripting cwe_79'),
  csrf: medium('request forged on behalf of a visitor', 'xsrf cross_site_request_forgery cwe_352'),
  clickjacking: medium('page in an invisible frame', 'ui_redressing cwe_1021'),
  open_redirect: low('link on this site that redirects to another', 'url_redirection cwe_601'),
  cache_poisoning: high('malicious response in a shared cache', 'web_cache_poisoning cache_deception'),
  request_smuggling: high('requests hidden in the framing of another request', 'http_desync desync cwe_444'),

  // What the server is made to open or let through.
  ssrf: high('server made to request an internal address', 'server_side_request_forgery cwe_918'),
  path_traversal: high(
    'path outside the intended directory',
    'directory_traversal dir_traversal traversal cwe_22',
  ),
  file_inclusion: high('local or remote file included and executed', 'lfi rfi cwe_98'),
  sensitive_file_access: medium(
    'request for configuration, backups, keys or repositories',
    'env_access config_access backup_access git_exposure file_disclosure source_disclosure',
  ),
  malicious_upload: high('upload of a malicious file', 'file_upload unrestricted_upload upload cwe_434'),
  access_control_bypass: high(
    'access to data of other users',
    'idor bola bfla broken_access_control authorization_bypass forced_browsing cwe_639 cwe_862',
  ),
  authentication_bypass: high('access without authentication', 'auth_bypass login_bypass mfa_bypass cwe_287'),
  privilege_escalation: high('privileges gained', 'privesc priv_esc t1068 cwe_269'),
  parameter_tampering: medium('manipulated prices, amounts or states', 'parameter_pollution hpp'),
  token_forgery: high('forged or altered token', 'jwt_forgery jwt_attack jwt'),
  session_hijacking: high('takeover of a session', 'session_fixation cookie_theft t1539'),
  xmlrpc_abuse: medium('WordPress XML-RPC used as an amplifier', 'xmlrpc xml_rpc pingback'),
  api_abuse: medium('API used against its purpose', 'rest_api_abuse graphql_abuse mass_assignment'),
  known_vulnerability: high(
    'exploit attempt on a published vulnerability',
    'cve ghsa exploit exploit_attempt shellshock heartbleed spring4shell t1190',
  ),

  // Accounts and what they are worth.
  login_bruteforce: medium(
    'many passwords tried on an account',
    'brute_force bruteforce login_attack login_failed failed_login login_attempt wp_login t1110',
  ),
  credential_stuffing: medium('stolen credentials tried', 't1110_004'),
  password_spraying: medium('one password tried on many accounts', 'password_spray t1110_003'),
  account_takeover: high('compromised account', 'ato t1078'),
  account_enumeration: medium('probing for existing accounts', 'user_enumeration username_enumeration t1087'),
  credential_theft: critical(
    'theft of passwords or keys',
    'credential_dumping credential_harvesting t1003 t1555',
  ),
  fake_registration: low('accounts registered by bots', 'fake_account account_creation registration_abuse'),
  rogue_admin: critical('unauthorized administrator account', 'rogue_account admin_created t1136'),
  phishing: high('page or message that asks for secrets', 'spear_phishing spearphishing t1566'),
  card_testing: medium('stolen cards tested', 'carding card_cracking payment_fraud'),

  // What has got in.
  malware: critical('malicious code found', 'virus trojan infection infected_file'),
  webshell: critical('page that runs commands for an attacker', 'web_shell t1505'),
  webshell_upload: critical('upload of a web shell', 'web_shell_upload'),
  backdoor: critical('hidden access for later use', 'persistence implant rootkit'),
  ransomware: critical('files encrypted for ransom', 'file_encryption t1486'),
  cryptomining: high('unauthorized mining', 'cryptojacking coinminer coin_miner miner t1496'),
  payment_skimmer: critical('script that steals card data in a checkout', 'skimmer magecart formjacking'),
  command_and_control: critical(
    'infected machine that contacts its controller',
    'c2 cnc beaconing beacon t1071',
  ),
  lateral_movement: critical('movement from machine to machine', 't1021'),
  data_exfiltration: critical('data stolen', 'exfiltration data_theft data_leak t1041 t1048'),
  file_tampering: high('unexpected change of a file', 'file_modified core_file_modified file_change t1565'),
  defacement: high('pages replaced by an attacker', 't1491'),
  malicious_redirect: high('visitors redirected to a malicious site', 'redirect_injection'),
  seo_spam: low('hidden links and pages for search engines', 'spam_injection pharma_hack cloaking'),
  supply_chain_compromise: critical(
    'malicious code in a component or its update',
    'supply_chain supply_chain_attack dependency_confusion typosquatting t1195',
  ),
  defense_evasion: high('protection turned off or evaded', 'waf_bypass waf_evasion log_tampering t1562'),

  // Looking around, and being too many.
  vulnerability_scan: low('scan for known vulnerabilities', 'scan scanner scanning probe probing t1595'),
  port_scan: low('scan for open ports', 'port_scanning network_scan t1046'),
  directory_enumeration: medium('scan for existing paths', 'dirbusting content_discovery fuzzing'),
  reconnaissance: low('probing for software and versions', 'recon fingerprinting version_probe t1592'),
  content_scraping: low('pages copied by bots', 'scraping scraper scrape'),
  bad_bot: low('bot that ignores the rules', 'bot crawler malicious_bot bot_attack fake_crawler'),
  spam: low('unsolicited comments, forms or mails', 'comment_spam form_spam referrer_spam email_spam'),
  denial_of_service: medium(
    'overload that makes the service unavailable',
    'dos ddos flood http_flood slowloris redos resource_exhaustion xml_bomb zip_bomb t1498 t1499 cwe_400',
  ),
} as const satisfies Record<string, Attack>;

const OTHER = 'other';

/** The name under which the feed publishes an attack. */
export type AttackType = keyof typeof VOCABULARY | `decoy_${DecoyKind}` | typeof OTHER;

/** Touching a decoy has a name by what the decoy looked like. */
const DECOYS = DECOY_KINDS.map((kind) => [
  `decoy_${kind}` as const,
  critical(`access to a decoy: ${kind.replaceAll('_', ' ')}`),
]);

const ATTACKS = {
  ...VOCABULARY,
  ...Object.fromEntries(DECOYS),
  [OTHER]: medium('any other attack'),
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
 * The vocabulary's name for a reporter's name of an attack: that of the longest run of its words that is a known name, the
 * first of several, so that `http_request_smuggling_via_http2` and `xss-reflected` are understood; `other` without one. Any
 * other text may contain anything, even a person's name, and is neither stored nor published.
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
