import type { Named } from './index.ts';

const POST = '$_POST';

/** Ordinary code that shares words or forms with malware, found by looking for a clean neighbour of every signal. */
export const CLEAN_NEAR_MISSES: Named = {
  'variables of a written list': `<?php extract(['title' => ${POST}['title'], 'theme' => 'plain']); include $theme;`,
  'variables of an old written list': `<?php extract(array('job' => 'uptime', 'note' => ${POST}['note'])); system($job);`,
  'names with accents': '<?php $größe = 1; $länge = 2; $höhe = 3; echo $größe * $länge * $höhe;',
  'names of algorithms with numbers':
    '<?php $md5sum = 1; $sha1sum = 2; $utf8text = 3; $x509cert = 4; $base64text = 5; $h264file = 6;',
  'shells in a shop for beaches': `<?php echo 'Pick a shell by colour'; echo esc_html(${POST}['colour']);`,
  'somebody was here': "<?php echo 'Michelle was here', 'check your security settings';",
  'property of a council': "<?php echo 'Your security matters. Owned by the council.';",
  'a hash that nothing is compared with': `<?php header('ETag: d41d8cd98f00b204e9800998ecf8427e'); echo esc_html(${POST}['a']);`,
  'an option without a value runs a default': "<?php system($command ?? 'uptime');",
  'data that may hold no objects': `<?php $list = unserialize(${POST}['list'], ['allowed_classes' => false]);`,
  'tests that compare constants': "expect('a' === 'a').toBe(true);\n".repeat(6),
  'a generator of escapes': `const letters = '${'\\\\u0041'.repeat(20)}';`,
  'the browser by a comment': 'var isOld = /*@cc_on ! @*/ false;',
  'a key that leads away':
    "document.onkeydown = e => { if (String.fromCharCode(e.which) === 'Q') new Image().src = '/quit.png'; };",
  'a list of plug-ins':
    "const names = ['ShockwaveFlash', 'AcroPDF', 'PDF.PdfCtrl', 'QuickTime', 'RealPlayer', 'Silverlight'];",
};

/** The same words and forms where they harm. */
export const MALICIOUS_NEAR_MISSES: Named = {
  'variables of the whole request': `<?php extract(${POST}); include $theme;`,
  'variables of a list from the request': `<?php extract(${POST}['list']); system($job);`,
  'a page that boasts': "<?php echo '<h1>H4cked by Nobody</h1> greetz to all, your security is nothing';",
  'a default that the request replaces': `<?php system(${POST}['command'] ?? 'uptime');`,
};
