import { REQUEST, type Report } from './signals.ts';

const TOOLS =
  /sqlmap|nikto|nmap|masscan|acunetix|wpscan|dirbuster|gobuster|feroxbuster|zgrab|nuclei|havij|w3af|netsparker|burp|\bzap\b|fimap|jbrofuzz|arachni|openvas|nessus|webinspect|appscan|whatweb|wfuzz|ffuf|sqlninja|bsqlbf|grabber|hydra|medusa|commix|xsser|vega\/|skipfish|joomscan|cmsmap|droopescan|morfeus|zmeu|libwww-perl|python-requests\/0|masscan|jorgee|dotdotpwn|havij|paros|webshag|fhscan|n-stealth|blackwidow|pmafind|s\.t\.a\.l\.k\.e\.r|toata|datacha0s|absinthe|brutus|cgichk|grendel|internet exploiter|mysqloit|nsauditor|pangolin|sqlbf|springenwerk|uil2pn|voyager|webtrends security|bilbo|prowebwalker|mozilla\/4\.0 \(compatible\)$|mozilla\/5\.0 sf|floodgate|netcraft-probe|research-scan|detectify|leakix|censysinspect|expanse|jaeles|xray/i;
const PATHS =
  /\/(?:\.git(?:\/|$)|\.svn\/|\.hg\/|\.env(?:\.\w+)?$|\.aws\/|\.ssh\/|\.ds_store|\.vscode\/|wp-config\.php[.~_-]|wp-config\.(?:bak|old|txt|php)$|config\.php\.(?:bak|old)|(?:backup|dump|database|db|site|www|mysql|sql)\.(?:sql|zip|tar|gz|tgz|rar|bak|7z)|eval-stdin\.php|phpunit\/.{0,200}eval-stdin|cgi-bin\/.{0,100}(?:test|shell|cmd|php)|(?:c99|r57|wso|b374k|shell|cmd|alfa|webshell|backdoor|indoxploit|up|upl|mini|x|1|xx|wp-22|alfacgiapi|sym403|fm)\.(?:php\d?|asp|aspx|jsp)$|web\.config|\.htpasswd|\.htaccess|server-(?:status|info)$|actuator\/(?:env|heapdump|gateway)|solr\/admin|_ignition\/execute|hudson|jenkins\/script|struts|manager\/html|phpinfo\.php|info\.php$|xmlrpc\.php\?rsd|boaform|hnap1|gponform|setup\.cgi|\.\.;|timthumb\.php|wp-content\/.{0,200}\.php\.suspected|wlwmanifest|readme\.eval|_profiler\/|telescope\/|debug\/default\/view|adminer[-\w.]*\.php|pma\/scripts|myadmin\/scripts|phpmyadmin\/scripts|w00tw00t|muieblackcat|\/proc\/self|id_rsa)/i;
const SCRIPT_NAME =
  /\.(?:php\d?|phtml|pht|phar|phps|inc|asp|aspx|asa|cer|jsp|jspx|jsw|cgi|pl|py|sh|htaccess|user\.ini|shtml|exe|dll|bat|ps1|war)(?:[.;:%\s\u0000]|$)|^\.(?:htaccess|user\.ini)$|\.\.[/\\]/i;

/** Finds the names of attack tools. */
export function findTool(agent: string, report: Report): void {
  if (TOOLS.test(agent)) report(REQUEST.scannerAgent);
}

/** Finds paths that are asked for only to learn whether they are there. */
export function findProbe(path: string, report: Report): void {
  if (PATHS.test(path)) report(REQUEST.probePath);
}

/** Finds uploads that the server might run. */
export function findUpload(name: string, report: Report): void {
  if (SCRIPT_NAME.test(name)) report(REQUEST.uploadScript);
}
