import { type Language, QUOTES, SLASHES } from './language.ts';
import { doneWithRequest } from './request-flow.ts';
import { SCRIPT } from './signals.ts';

const JAVA_REQUEST =
  /request\s*\.\s*get(?:Parameter|Header|Reader|InputStream|QueryString|Cookies)|\$\{param\b/;
const JAVA_WRITES = doneWithRequest({
  request: JAVA_REQUEST,
  assigned: /\b(\w{1,60})\s*=(?!=)\s*([^;{}%]{1,400})/g,
  declared: /\b(\w{1,60})\s*\(([^()]{1,200})\)\s*(?:throws[\w\s.,]{1,120})?\{/g,
  sink: /new\s+(?:java\.io\.)?(?:FileOutputStream|FileWriter|RandomAccessFile|PrintWriter)\s*\((?=([^;]{1,300}))/g,
  // A written page, which the server runs on request.
  telling: /["'][^"'\n]{0,100}\.(?:jspx?|jspf|war|class)["']/i,
});
export const JAVA: Language = {
  words: ['<%', '<jsp:'],
  isIn: [
    /<%[\s=@!#-]|<%\w{2}|<jsp:/i,
    /\brequest\s*\.\s*get(?:Parameter|Reader|Header|Cookies|InputStream|Query)|\bimport\s*=\s*["']\s*java|language\s*=\s*["']?java\b|\bjava\.(?:io|util|lang|net)\b/i,
  ],
  isProgram: false,
  comment: SLASHES,
  rules: [
    [
      SCRIPT.commandOfRequest,
      // A constant command is the same for every caller.
      /(?:\.\s*exec|\bProcessBuilder)\s*\((?!\s*"[^"\n]{0,200}"(?:\s*,\s*"[^"\n]{0,200}"){0,9}\s*\))|["'](?:getRuntime|exec)["']|\\u0065\\u0078\\u0065\\u0063/,
      JAVA_REQUEST,
    ],
    [
      SCRIPT.codeOfRequest,
      /\bdefineClass\b|ClassLoader\b[^;]{0,80}\bextends\b|extends\s+ClassLoader|ScriptEngineManager|\.evaluate\s*\(/,
      JAVA_REQUEST,
    ],
    [SCRIPT.fileOfRequest, JAVA_WRITES],
    [
      SCRIPT.reverseShell,
      /new\s+(?:java\.net\.)?Socket\s*\(/,
      /\bexec\s*\(|ProcessBuilder/,
      /getInputStream/,
    ],
    [SCRIPT.hiddenRun, /BASE64Decoder|Base64\.getDecoder|decodeBuffer/, /defineClass|\.invoke\s*\(/],
  ],
};

const ASP_REQUEST =
  /\brequest\s*(?:\.\s*(?:form|querystring|item|params|headers|cookies|binaryread|files|inputstream)\s*)?[([.]|\bitem\s*\[/i;
export const ASP: Language = {
  words: ['<%', 'runat'],
  isIn: [
    /<%[\s=@!#]|<%\w{2}|runat\s*=\s*["']?server/i,
    /\brequest\s*[.([]|\b(?:execute|eval|createobject)\b|\bserver\s*\.|\b(?:language|page|webhandler|webservice)\s/i,
  ],
  isProgram: false,
  comment: QUOTES,
  rules: [
    [
      SCRIPT.codeOfRequest,
      /(?<![.\w])(?:eval|execute|executeglobal|executestatement|addcode)\b\s*\(?[^\n]{0,80}\brequest\b|\beval\s*\(\s*\w+\s*,\s*["']unsafe/i,
    ],
    [
      SCRIPT.codeOfRequest,
      /Assembly\s*\.\s*Load\s*\(|CSharpCodeProvider|CompileAssemblyFromSource|CodeDomProvider/i,
      ASP_REQUEST,
    ],
    [
      SCRIPT.commandOfRequest,
      /ProcessStartInfo|Process\s*\.\s*Start|wscript\.shell|shell\.application|\bxp_cmdshell\b|72C24DD5-D70A-438B-8A42-98424B88AFB8|F935DC22-1CF0-11D0-ADB9-00C04FD58A0B/i,
      ASP_REQUEST,
    ],
    [
      SCRIPT.fileOfRequest,
      // A constant file name belongs to the page, unless it is a page itself; mode 1 only reads.
      /(?:\.\s*(?:saveas|savetofile|createtextfile|opentextfile|writealltext|writeallbytes|copyto)\b|new\s+streamwriter\b)(?!\s*(?:\(\s*)?(?:Server\s*\.\s*MapPath\s*\(\s*)?"[^"\n]{0,200}\.(?!(?:aspx?|as[ahm]x?|cer|cdx|php|jspx?|config)")\w{1,5}"\s*(?:\)\s*)?(?:[,)\n]|$))/i,
      ASP_REQUEST,
    ],
    [
      SCRIPT.hiddenRun,
      /\b(?:execute|eval|executeglobal)\b\s*(?:\(\s*)?\w{1,40}\s*\(\s*(?:"[^"\n]{20}|\w{1,30}\s*\))|vbscript\.encode|#@~\^/i,
    ],
    [SCRIPT.reverseShell, /TcpClient|new\s+Socket|WSASocket/i, /cmd(?:\.exe)?|Process/i, /connect/i],
  ],
};

export const COLD_FUSION: Language = {
  words: ['<cf'],
  isIn: [/<cf(?:set|execute|output|param|file|query|if)\b/i],
  isProgram: false,
  comment: /<!---[\s\S]{0,2000}?--->/g,
  rules: [
    [SCRIPT.commandOfRequest, /<cfexecute\b[^>]{0,400}#/i, /#?\b(?:form|url|cgi|cookie)\s*[.[]/i],
    [
      SCRIPT.codeOfRequest,
      /\b(?:evaluate|defineClass)\s*\((?!\s*["'][^"'#\n]{0,100}["']\s*\))/i,
      /\b(?:form|url)\s*[.[]|getHttpRequestData/i,
    ],
    [
      SCRIPT.fileOfRequest,
      /<cffile\b(?=[^>]{0,400}(?:#|\.(?:cfm|cfc|jsp)))[^>]{0,200}action\s*=\s*["']?(?:write|append)|<cffile\b[^>]{0,200}action\s*=\s*["']?upload/i,
      /\b(?:form|url)\s*[.[]/i,
    ],
  ],
};
