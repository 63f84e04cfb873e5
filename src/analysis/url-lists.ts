/** The most imitated services with their registrable domains. */
export const BRANDS: Readonly<Record<string, readonly string[]>> = {
  paypal: ['paypal.com', 'paypal.me', 'paypalobjects.com'],
  apple: ['apple.com'],
  icloud: ['icloud.com', 'icloud-content.com'],
  microsoft:
    'microsoft.com microsoftonline.com microsoftonline.us microsoftonline.cn azure.cn azure.us'.split(' '),
  office365: ['office.com', 'office365.com', 'office365.us', 'office365.cn'],
  outlook: ['outlook.com'],
  onedrive: ['live.com'],
  sharepoint: ['sharepoint.com'],
  google: (
    'google.com google.de google.co.uk googleapis.com withgoogle.com googleusercontent.com googleblog.com ' +
    'google-analytics.com googleadservices.com googletagmanager.com googlesyndication.com googlevideo.com ' +
    'googlesource.com'
  ).split(' '),
  gmail: ['gmail.com'],
  facebook: ['facebook.com', 'facebook.net', 'fb.com'],
  instagram: ['instagram.com'],
  whatsapp: ['whatsapp.com', 'whatsapp.net'],
  telegram: ['telegram.org', 't.me'],
  amazon: (
    'amazon.com amazon.es amazon.it amazon.com.au amazon.nl amazon.cn amazon.de amazon.co.uk amazon.co.jp ' +
    'amazon.fr amazonaws.com amazon.in amazon.ca amazonaws.com.cn amazonaws.cn amazonaws-us-gov.com ' +
    'media-amazon.com ssl-images-amazon.com amazon-adsystem.com'
  ).split(' '),
  netflix: ['netflix.com'],
  linkedin: ['linkedin.com', 'linkedin-ei.com'],
  dropbox: ['dropbox.com', 'dropboxstatic.com'],
  docusign: ['docusign.com', 'docusign.net'],
  adobe: ['adobe.com'],
  yahoo: ['yahoo.com', 'yahoo.co.jp'],
  ebay: ['ebay.com', 'ebay.fr', 'ebay.it', 'ebay.es', 'ebay.at', 'ebay.de', 'ebay.co.uk'],
  roblox: ['roblox.com'],
  steamcommunity: ['steamcommunity.com'],
  steampowered: ['steampowered.com'],
  discord: ['discord.com', 'discord.gg', 'discordapp.com'],
  coinbase: ['coinbase.com'],
  binance: ['binance.com'],
  metamask: ['metamask.io'],
  blockchain: ['blockchain.com', 'blockchain.info'],
  trezor: ['trezor.io'],
  ledger: ['ledger.com'],
  kraken: ['kraken.com'],
  chase: ['chase.com'],
  wellsfargo: ['wellsfargo.com'],
  bankofamerica: ['bankofamerica.com'],
  hsbc: ['hsbc.com', 'hsbc.co.uk'],
  santander: ['santander.com', 'santander.co.uk'],
  barclays: ['barclays.co.uk', 'barclays.com'],
  usps: ['usps.com'],
  fedex: ['fedex.com'],
  dhl: ['dhl.com', 'dhl.de'],
  correos: ['correos.es'],
  americanexpress: ['americanexpress.com'],
  mastercard: ['mastercard.com'],
  visa: ['visa.com'],
  spotify: ['spotify.com'],
  shopee: ['shopee.com', 'shopee.sg'],
  wordpress: ['wordpress.org', 'wordpress.com', 'wordpress.net', 'wordpress.tv'],
  att: ['att.com', 'att.net'],
  verizon: ['verizon.com'],
  comcast: ['comcast.com', 'comcast.net'],
  alibaba: ['alibaba.com'],
  rakuten: ['rakuten.co.jp', 'rakuten.com'],
  tiktok: ['tiktok.com'],
  youtube: ['youtube.com', 'youtu.be', 'youtube-nocookie.com'],
  twitter: ['twitter.com'],
  sparkasse: ['sparkasse.de', 'sparkasse.at', '.de', '.at'],
  postbank: ['postbank.de'],
  commerzbank: ['commerzbank.de', 'commerzbank.com'],
  comdirect: ['comdirect.de'],
  targobank: ['targobank.de'],
  n26: ['n26.com'],
  elster: ['elster.de'],
  finanzamt: ['.de', '.at'],
  bnpparibas: ['bnpparibas.com', 'bnpparibas.fr'],
  labanquepostale: ['labanquepostale.fr'],
  ameli: ['ameli.fr'],
  impots: ['impots.gouv.fr', 'gouv.fr'],
  chronopost: ['chronopost.fr'],
  laposte: ['laposte.fr', 'laposte.net'],
  caixabank: ['caixabank.es', 'caixabank.com'],
  bbva: ['bbva.es', 'bbva.com'],
  unicredit: ['unicredit.it', 'unicreditgroup.eu'],
  intesasanpaolo: ['intesasanpaolo.com'],
  posteitaliane: ['poste.it'],
  postnl: ['postnl.nl'],
  rabobank: ['rabobank.nl', 'rabobank.com'],
  inpost: ['inpost.pl'],
  allegro: ['allegro.pl'],
  ziraat: ['ziraatbank.com.tr'],
  sberbank: ['sberbank.ru'],
  gosuslugi: ['gosuslugi.ru'],
  royalmail: ['royalmail.com'],
  hmrc: ['.gov.uk'],
  citibank: ['citi.com', 'citibank.com'],
  capitalone: ['capitalone.com'],
  trustwallet: ['trustwallet.com'],
  opensea: ['opensea.io'],
  github:
    'github.com github.io githubusercontent.com githubassets.com githubstatus.com github.blog github.dev'.split(
      ' ',
    ),
};

/** Top-level domains with a large share of abuse (recent Spamhaus and Interisle reports). */
export const CHEAP_ENDINGS =
  /\.(?:tk|ml|ga|cf|gq|top|xyz|icu|cyou|buzz|rest|click|link|work|loan|men|date|racing|win|bid|stream|download|review|country|kim|science|party|gdn|mom|lol|sbs|cfd|monster|quest|bond|shop|online|site|website|space|live|vip|club|su|pw|cc|ws|info|biz|zip|mov|ru|cn|bi|et|help|support|top|fun|store|life|world|today|bar|hair|skin|beauty|makeup|pics|autos|boats|homes|motorcycles|yachts|cam|wang|ltd|icu)$/i;

export const BAIT =
  /\b(?:log-?in|log-?on|sign-?in|signin|verify|verif\w*|secure|security|account|update|confirm|banking|webscr|wallet|unlock|suspend\w*|billing|invoice|payment|recover\w*|password|credential|auth|authenticate|validation|customer|support|claim|airdrop|bonus|gift|reward|prize|webmail|mailbox|helpdesk|refund|tracking|parcel|delivery|token|connect|restore|kyc|2fa|otp|limited|alert|notification|owa|roundcube|zimbra|cpanel|anmeld\w*|einloggen|konto\w*|zahlung\w*|gebuehr\w*|rechnung\w*|erstattung\w*|zustellung\w*|entsperr\w*|bestaetig\w*|verifizier\w*|aktualisier\w*|connexion|compte|paiement|facture|remboursement|colis|cuenta|pago|factura|reembolso|conto|accesso|pagamento|fattura|rimborso|conta|fatura|encomenda|rekening|betaling|inloggen|logowanie|platnosc|paczka|giris|hesap|odeme|kargo)\b/i;

export const BAIT_INSIDE =
  /log-?in|sign-?in|verif|secur|account|update|support|help|bonus|gift|reward|wallet|auth|app$|free|claim|recover|alert|service/i;
