/** Free hosting with much phishing. */
const ABUSED_HOSTING: readonly string[] = (
  'weebly.com blogspot.com wixsite.com 000webhostapp.com web.app firebaseapp.com pages.dev workers.dev ' +
  'vercel.app netlify.app glitch.me repl.co replit.app webflow.io framer.app framer.website square.site ' +
  'godaddysites.com r2.dev ipfs.dweb.link surge.sh ngrok.io ngrok-free.app duckdns.org no-ip.org ddns.net ' +
  'hopto.org angelfire.com jimdofree.com jimdosite.com yolasite.com ucoz.com mystrikingly.com translate.goog ' +
  'carrd.co canva.site zapier.app bubbleapps.io plesk.page dynv6.net rf.gd epizy.com infinityfreeapp.com ' +
  'byethost.com lovable.app hostingersite.com wasmer.app webwave.dev contabostorage.com myqcloud.com ' +
  'amplifyapp.com edgeone.app'
).split(' ');

/** Free hosting where most pages are ordinary. */
const FREE_HOSTING: readonly string[] = (
  'herokuapp.com github.io gitbook.io onrender.com fly.dev azurewebsites.net cloudfront.net altervista.org ' +
  'tripod.com webnode.com sites.google.com docs.google.com forms.gle typeform.com jotform.com wordpress.com ' +
  'tumblr.com notion.site linktr.ee teachable.com myshopify.com windows.net backblazeb2.com ipfs.io deno.dev'
).split(' ');

/** Content delivery: hosts have random names and serve another site's content. */
export const DELIVERY_HOSTING: readonly string[] =
  'cloudfront.net azureedge.net akamaized.net akamaihd.net fbcdn.net googleusercontent.com'.split(' ');

export const SHORTENERS: readonly string[] = (
  'bit.ly tinyurl.com goo.gl t.co ow.ly is.gd buff.ly adf.ly cutt.ly rb.gy rebrand.ly shorturl.at t.ly ' +
  'tiny.cc bl.ink s.id qrco.de v.gd lnkd.in urlz.fr u.to shorte.st l.ead.me q-r.to me-qr.com qr.codes did.li ' +
  'n9.cl'
).split(' ');

/** Whether a host ends with one of some domains. */
export const isOn = (host: string, domains: readonly string[]): boolean => {
  const dotted = `.${host}`;
  return domains.some((domain) => dotted.endsWith(domain));
};
/** For {@link isOn}. */
export const ABUSED = ABUSED_HOSTING.map((domain) => `.${domain}`);
/** For {@link isOn}. */
export const FREE = FREE_HOSTING.map((domain) => `.${domain}`);
/** Whether a host is on free hosting. */
export const isFree = (host: string): boolean => isOn(host, ABUSED) || isOn(host, FREE);
