import type { Named } from './index.ts';

const OPERATORS = ['=', '*=', '**=', '/=', '%=', '+=', '-=', '<<=', '>>=', '>>>=', '&=', '^=', '|='];
const BRACKETS = [',', ';', '}', ')', '=>', '...', ']', '{', '(', '['];
const SIDES = ['pos', 'size', 'minSize', 'maxSize', 'inner', 'before', 'delta', 'content', 'after', 'align'];
const layout = (values: readonly string[]) =>
  SIDES.map((side, index) => `${side}Name='${values[index % values.length]}';`).join('');
/** Ordinary scripts that are written down much like what hides something. */
export const CLEAN_LIBRARIES: Named = {
  'a parser that compares signs': `function isAssignment(op){return ${OPERATORS.map((each) => `op==='${each}'`).join('||')};}
class Parser{list(){const out=[];${BRACKETS.concat(OPERATORS)
    .map((each) => `if(this.match('${each}'))this.expect('${each}');`)
    .join('')}return out;}}`,
  'a layout in one of three directions': `function place(items,direction){var posName,sizeName;if(direction==='column'){${layout(['y', 'h', 'minH', 'top', 'left'])}}else if(direction==='row'){${layout(['x', 'w', 'minW', 'left', 'top'])}}else{${layout(['z', 'd', 'minD', 'far', 'near'])}}return items.map(function(i){return i[posName]+i[sizeName];});}`,
  'a pattern that is put together': `function toPattern(tokens,keys){var out='';for(var i=0;i<tokens.length;i++){var t=tokens[i],p=escape(t.prefix),s=escape(t.suffix);
${Array.from(
  { length: 7 },
  (_, index) =>
    `if(t.kind===${index}){out+="(?:".concat(p,"((?:").concat(t.pattern,")(?:").concat(s).concat(p,"(?:").concat(t.pattern,"))*)").concat(s,")").concat(t.last);}`,
).join('\n')}}return new RegExp("^".concat(out,"$"));}`,
  'letters of a script by the names of its styles': `var offsets={upper:{normal:function(c){return 0;},script:function(c){return 119951;}}};var letter=function(c,style){var code=c.codePointAt(0);return String.fromCodePoint(code+offsets.upper[style](c));};builder({build:function(group,style){var node=makeText(group.text);if(style==='script'){node.text=letter(node.text,style);return node;}return node;}});`,
  'a table of changes to words': `var changes=[${Array.from({ length: 30 }, (_, index) => `new Change("",${index},${JSON.stringify(["'", '.', ', ', '="', '(', '. '][index % 6])}),new Change(" ",${index},${JSON.stringify(["'>", ' ', ',', "='"][index % 4])})`).join(',')}];`,
  'primes of a curve': `const p=BigInt('0x7${'f'.repeat(62)}d');const n=BigInt('0x3${'f'.repeat(48)}');const q=BigInt('0x${'f'.repeat(55)}efffffc2f');curve({p,n,q});`,
  'code in a text with spaces to the edge': `return new Function("value", "holder", "${['holder.index = value;', 'holder.check(this);', 'return holder;'].map((line) => `${`            ${line}`.padEnd(66)}\\n`).join('\\\n')}");`,
  'lengths for lengths': `const sizes={${Array.from({ length: 60 }, (_, index) => `"${index / 16}rem":"${index}.5px"`).join(',')}};export default sizes;`,
  'languages that are handed on': Array.from(
    { length: 60 },
    (_, index) => `export { default as l${index} } from "./l${index}.js";`,
  ).join('\n'),
  'conversions from one kind to another': `import{${['rgb2hsl', 'rgb2hsv', 'rgb2hwb', 'hsl2rgb', 'hsv2rgb', 'hwb2rgb', 'Int8Array', 'Int16Array', 'lab2xyz', 'xyz2lab'].join(',')}}from'./colours';`,
  'a name that is no method of all objects': `const kinds={break:1,case:2,class:3,["" + "constructor"]:4,debugger:5};`,
};

/** What hides something in the same forms. */
export const MALICIOUS_LIBRARIES: Named = {
  'a text of a script element that was asked for by a comparison': `var o='';for(var i=0;i<c.length;i++)o+=String.fromCharCode(c[i]-7);for(var k in kinds)if(kinds[k]==='script'){var s=document.createElement('script');s.text=o;document.head.appendChild(s);}`,
};
