import type { URL_SIGNALS } from '../../../src/analysis/url-signals.ts';
import type { Pairs } from './pair.ts';

export const SHOWN_URL: Pairs<typeof URL_SIGNALS> = {
  punycode: { shown: 'https://xn--i-7iq.example/', near: 'https://xn--mnchen-3ya.example/' },
  brandOtherEnding: { shown: 'https://paypal.example/', near: 'https://paypalace.example/' },
  ownNameElsewhere: {
    shown: 'https://flowershop.other.example/',
    near: 'https://news.flowershop.example/',
    siteUrl: 'https://www.flowershop.example',
  },
  manyLabels: { shown: 'https://a.b.c.site.example/', near: 'https://b.c.site.example/' },
  hyphens: { shown: 'https://the-old-town-bakery.example/', near: 'https://old-town-bakery.example/' },
  randomHost: { shown: 'https://x7k2q9w4.example/', near: 'https://route66.example/' },
  digits: { shown: 'https://shop12345.example/', near: 'https://shop24.example/' },
  shortener: { shown: 'https://bit.ly/offer', near: 'https://rabbit.example/offer' },
  download: { shown: 'https://site.example/setup.exe', near: 'https://site.example/setup.html' },
  doubleEnding: { shown: 'https://site.example/bill.pdf.php', near: 'https://site.example/bill.pdf.html' },
  randomPathAlone: { shown: 'https://site.example/a1b2c3d4e', near: 'https://site.example/article2026' },
  randomPath: { shown: 'https://site.example/p/a1b2c3d4e', near: 'https://site.example/p/article2026' },
  messengerDrop: {
    shown: `https://api.telegram.org/${'bot'}1:a/sendMessage`,
    near: 'https://core.telegram.org/bots/api',
  },
};
