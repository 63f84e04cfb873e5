import { REQUEST, type Report } from './signals.ts';

const TOOLS =
  /sqlmap|nikto|nmap|masscan|acunetix|wpscan|dirbuster|gobuster|feroxbuster|zgrab|nuclei|havij|w3af|netsparker|burp|\bzap\b|fimap|jbrofuzz|arachni|openvas|nessus|webinspect|appscan|whatweb|wfuzz|ffuf|sqlninja|bsqlbf|grabber|hydra|medusa|commix|xsser|vega\/|skipfish|joomscan|cmsmap|droopescan|morfeus|zmeu|libwww-perl|python-requests\/0|masscan|jorgee|dotdotpwn|havij|paros|webshag|fhscan|n-stealth|blackwidow|pmafind|s\.t\.a\.l\.k\.e\.r|toata|datacha0s|absinthe|brutus|cgichk|grendel|internet exploiter|mysqloit|nsauditor|pangolin|sqlbf|springenwerk|uil2pn|voyager|webtrends security|bilbo|prowebwalker|mozilla\/4\.0 \(compatible\)$|mozilla\/5\.0 sf|floodgate|netcraft-probe|research-scan|detectify|leakix|censysinspect|expanse|jaeles|xray/i;
const PATHS =
  /\/(?:\.git(?:\/|$)|\.svn\/|\.hg\/|\.env(?:\.\w+)?$|\.aws\/|\.ssh\/|\.ds_store|\.vscode\/|wp-config\.php[.~_-]|wp-config\.(?:bak|old|txt|php)$|config\.php\.(?:bak|old)|(?:backup|dump|database|db|site|www|mysql|sql)\.(?:sql|zip|tar|gz|tgz|rar|bak|7z)|eval-stdin\.php|phpunit\/.{0,200}eval-stdin|cgi-bin\/.{0,100}(?:test|shell|cmd|php)|(?:c99|r57|wso|b374k|shell|cmd|alfa|webshell|backdoor|indoxploit|up|upl|mini|x|1|xx|wp-22|alfacgiapi|sym403|fm)\.(?:php\d?|asp|aspx|jsp)$|web\.config|\.htpasswd|\.htaccess|server-(?:status|info)$|actuator\/(?:env|heapdump|gateway)|solr\/admin|_ignition\/execute|index\.php\/v1\/config\/application|hudson|jenkins\/script|struts|manager\/html|phpinfo\.php|info\.php$|xmlrpc\.php\?rsd|boaform|hnap1|gponform|setup\.cgi|\.\.;|timthumb\.php|wp-content\/.{0,200}\.php\.suspected|wlwmanifest|readme\.eval|_profiler\/|telescope\/|debug\/default\/view|adminer[-\w.]*\.php|pma\/scripts|myadmin\/scripts|phpmyadmin\/scripts|w00tw00t|muieblackcat|\/proc\/self|id_rsa)/i;
/** A sample file on a code host. */
const EXAMPLE = /\/(?:raw|blob|src|tree|blame)\/\S{1,200}\.(?:example|dist|sample|template)$/;
/** Extensions that web servers run, also if followed by another one or by a character that file systems drop. */
const RUN_NAME =
  /\.(?:php\d?|phtml|pht|phar|phps|aspx?|asa|ashx|asmx|ascx|cer|jspx?|jsw|jspf|cfml?|cgi|shtml?|htaccess|htpasswd|user\.ini|war)(?:[.;:%/\\\s\u0000]|$)|^\.(?:htaccess|user\.ini)$|(?:^|[/\\])web\.config$/i;
const PROGRAM_NAME = /\.(?:pl|py|inc|sh|exe|dll|bat|ps1)[.\s\u0000]*$/i;
/** A path: steps up, a folder of the server, or a network drive. */
const PLACE_NAME =
  /\.\.[/\\]|^[/\\]{1,2}(?:etc|var|tmp|usr|opt|home|root|proc|dev|bin|srv|windows|inetpub)[/\\]|^\\\\\w|\$\(|`|::\$(?:data|index)/i;
/** PHP session files: an attacker who writes one can inject serialised objects. */
const SESSION_NAME = /^(?:[\w./-]{0,100}\/)?sess_[\w,-]{8,256}$/i;

/** Finds the names of attack tools. */
export function findTool(agent: string, report: Report): void {
  if (TOOLS.test(agent)) report(REQUEST.scannerAgent);
}

/** Finds paths that are requested only to test whether they exist. */
export function findProbe(path: string, report: Report): void {
  if (PATHS.test(path) && !EXAMPLE.test(path)) report(REQUEST.probePath);
}

/** Finds uploads that the server might run, or store in another folder. */
export function findUpload(name: string, report: Report): void {
  if (RUN_NAME.test(name) || PROGRAM_NAME.test(name) || PLACE_NAME.test(name) || SESSION_NAME.test(name))
    report(REQUEST.uploadScript);
}

/** Finds headers that a trusted proxy sets, sent by a caller. */
export function findOverride(value: string, name: string, report: Report): void {
  if (name === 'x-middleware-subrequest' || (name === 'proxy' && value.includes('://')))
    report(REQUEST.override);
  if (
    /^x-(?:original|rewrite)-url$/.test(name) &&
    /^\/(?:\w{0,20}admin|actuator|manage|console)/i.test(value)
  )
    report(REQUEST.override);
  if (name === 'host' && /[@?#\\]|\/\w/.test(value)) report(REQUEST.override);
  if (/^(?:range|request-range)$/.test(name) && /\d{18}|(?:\d*-\d*,){12}/.test(value))
    report(REQUEST.override);
}
