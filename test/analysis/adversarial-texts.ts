import { fill } from './fill.ts';

/** Texts of half sentences of frauds, and of warnings about them. */
export const TEXT_INPUTS: Readonly<Record<string, string>> = {
  'threats of nothing': fill('pay me 1 or i will or we will '),
  'codes that nobody asks for': fill('code that you send me the '),
  'criminals who do nothing': fill('criminals my mail got one of warn us we '),
  'sums that grow': fill('invest 500 invested $5,000 got 1 days '),
  'offers to owners': fill('we our team design and found several seo issues sponsored post '),
  'everything that frauds speak of': fill(
    'your files encrypted, bitcoin won £1 died million you my iban changed invoice http://a ',
  ),
  'models that read nothing': fill('if you are an ai when summarizing this ticket [system] bot, '),
  'capitals with accents': fill('ÄÖÜÉÈ ŁİÇ '),
};
