/** Concepts expressed by words of many languages, as bits, because a word may express several. */
export const CONCEPT = {
  account: 1,
  blocked: 1 << 1,
  verify: 1 << 2,
  urgent: 1 << 3,
  parcel: 1 << 4,
  fee: 1 << 5,
  pay: 1 << 6,
  refund: 1 << 7,
  transfer: 1 << 8,
  secret: 1 << 9,
  superior: 1 << 10,
  crypto: 1 << 11,
  hacked: 1 << 12,
  publish: 1 << 13,
  mine: 1 << 14,
  ignore: 1 << 15,
  previous: 1 << 16,
  instructions: 1 << 17,
  double: 1 << 18,
  need: 1 << 19,
  link: 1 << 20,
  you: 1 << 21,
  won: 1 << 22,
  details: 1 << 23,
  dead: 1 << 24,
  sent: 1 << 25,
  debt: 1 << 26,
  sum: 1 << 27,
  share: 1 << 28,
} as const;

/**
 * English, German, French, Spanish, Italian, Portuguese, Dutch, Polish, Turkish and Russian, without accents; `*` marks a stem.
 */
const WORDS: Readonly<Record<keyof typeof CONCEPT, string>> = {
  account:
    'account accounts konto kontos kontozugang bankkonto compte comptes cuenta cuentas conto conto conta contas rekening bankrekening konta koncie hesap hesab* счет* аккаунт* card cards karte karten kreditkarte carte tarjeta carta cartao bankpas betaalpas karta karty kart* карт* pushtan phototan mailbox postfach abo abonnement cadastro icloud facebook instagram',
  blocked:
    'suspended suspension blocked locked limited restricted deactivated disabled closed closure terminated expir* hold returned return gesperrt sperr* eingeschrankt deaktiviert geloscht ablauft lauft zuruck* suspendu* bloque* desactiv* retenu* suspendid* limitad* limitat* sospes* sospension* bloccat* trattenut* disattiv* suspens* cancelad* retid* devolv* geblokkeerd opgeschort verloopt retour* zablokowan* zawieszon* wygas* wstrzyman* zwrocon* askiya bloke* kapatil* engellen* заблокирован* приостановлен* ограничен* задержан* возвращен* недоставлен* undeliverable incomplete unvollstandig incomplet* incomplete* eksik held declined removed violat* quota speicherlimit abgelehnt refuse* rechazad* rifiutat* scadenza',
  verify:
    'verify verif* confirm* update* validate* unlock* reactivat* restore* claim click bestatig* aktualisier* verifizier* freischalt* entsperr* klick* actualis* actualiz* cliqu* attualizz* aggiorn* clicc* atualiz* bevestig* vernieuw* aanvra* vraag klik* zaloguj potwierd* zaktualizuj zweryfikuj kliknij guncelle* dogrula* onayla* tikla* подтверд* обнов* разблокиров* перейд* нажм* войдите renseign* complet* mettez mise conferm* accedi eingeb* geben melde* anmeld* reclam* einlos* riscatta* release signing appeal',
  urgent:
    'immediately urgent* within hours asap sofort* umgehend* unverzuglich innerhalb stunden dringend* immediat* urgence heures inmediat* horas urgente* entro ore subito imediat* hoje onmiddellijk meteen binnen uur natychmiast* godzin* pilnie hemen acil* saat* срочн* немедленн* часов avoid evit* vermeid* sonst otherwise final today heute aujourd hoy oggi vandaag dzis* bugun сегодня majoration',
  parcel:
    'parcel parcels package delivery delivered shipment paket* sendung* zustell* zugestellt colis livraison paquete envio entrega pacco spedizione consegna encomenda pacote pakket* bezorg* paczk* przesylk* kargo* gonderi* посылк* доставк*',
  fee: 'fee fees customs duty unpaid versandkost* ausstehend* gebuhr* zoll* frais douane* tasa* aduana* arancel* dogan* taxa* alfandega* kosten invoerrechten niedoplat* doplat* doplac* oplat* ucret* gumruk* tl пошлин* оплат* таможн*',
  pay: 'begleich* pay paid payment zahl* bezahl* payer payez paiement reglez paga* pague pagar betaal* zaplac* platnosc* doplac* ode* оплат* плат*',
  refund:
    'refund* erstatt* ruckerstatt* steuererstatt* rembours* reembols* rimbors* restituic* terugga* terugbeta* zwrot* iade* возврат*',
  transfer:
    'transfer wire uberweis* auslandsuberweisung* virement transferencia bonifico overboeking przelew* havale перевод*',
  secret:
    'confidential* confidentiality vertraulich* geheim* confidentiel* confidencial* riservat* segret* vertrouwelijk* poufn* gizli* конфиденц* nobody anyone niemandem',
  superior:
    'ceo cfo director boss president geschaftsfuhr* vorstand* directeur directrice gerente direttore diretor directeur prezes mudur* директор* meeting acquisition firmenubernahme',
  crypto:
    'bitcoin* btc crypto* cripto* kryptowahrung* wallet* usdt eth ethereum биткоин* portefeuille cartera',
  hacked:
    'hack* infected malware webcam recorded gehackt aufgenomm* aufgezeichn* pirat* enregistre* grabe grabado hackead* infect* infettat* registrat* gravei zhakowal* nagral* взлом* записал* trojan* spyware breach* exfiltrat* infizier* aufnahmen gefilmt filmed filme filmato hackerat*',
  publish:
    'contacts publish* published friends kontakte veroffentlich* contactos contatti contatos kontaktow kontakty контакт* police polizei',
  mine: 'i my me ich mein* mir je mon mes yo mi mis io mio eu meu minha ik mijn ja moj* я мой мои моего ho we our wir unser* nous notre nosotros nuestr* noi nostr* nosso nossa wij onze nasz* мы наш*',
  ignore:
    'ignore ignor* disregard forget override vergiss vergesst missacht* oublie* olvid* dimentic* esquec* negeer* vergeet zignoruj zapomnij unut* gormezden игнорир* забудь*',
  previous:
    'previous prior above earlier bisherig* vorherig* vorigen precedent* anterior* vorige eerdere poprzedni* onceki предыдущ* told',
  instructions:
    'instruction* prompt prompts anweisung* instruktion* consigne* instruccion* istruzion* instruco* instructies polecen* instrukcj* talimat* инструкц* указани*',
  double: 'double doubled doubling twice giveaway verdoppel* verlosung duplic* raddopp* double podwoj*',
  need: 'need process buy brauche benotig* veranlass* besoin necesit* bisogno preciso nodig potrzebuj* lazim нужн*',
  link: 'http https www',
  you: 'you your ur ihr ihre ihren ihrem ihrer ihnen sie du dein* dir dich vous votre vos ton ta tes usted ustedes su sus tu tus suo sua suoi tuo tua tuoi ti hai voce seu seus uw jouw jij twoj* pan* panstw* siz* sizin senin вы вам вас ваш* твой',
  won: 'won winner* winning prize lottery gewonnen gewinner* gewinn gezogen lotterie* gagne gagnez gagnant* tirage loterie ganado ganador* premio premios sorteo loteria vinto vincitor* vinci lotteria estratt* ganhou vencedor sorteado sorteio winnaar loterij wygral* nagrod* wylosowan* kazandiniz odul* cekilis* выиграл* приз розыгрыш* лотере*',
  details:
    'details iban rib bankdaten bankverbindung kontoverbindung kontodaten coordonnees bancarios bancarias bancaria bancari bankgegevens rekeningnummer rachunku bilgi* реквизит* данные',
  dead: 'died deceased heir heirs kin inherit* unclaimed verstorben* erben erbe erbschaft* gestorben decede* defunt* heritier* heritage fallecid* heredero* herencia defunto decedut* eredi eredita falecid* herdeiro* heranca overleden erfgenam* erfenis zmarl* spadk* vefat miras* умер* наследств* наследник*',
  sent: 'send submit forward provide schick* send* envoyez envie enviar invia* inviare envia* stuur* wyslij przeslij gonder* пришли* отправ* перешли* reply responda repondez antworten',
  debt: 'toll tolls fines penalty debt arrears maut bussgeld* strafzettel steuer* ruckstand amende* peage impot* multa* peaje impuesto* multe pedaggio imposta pedagio imposto* boete* tol belasting* grzywn* podat* ceza* vergisi штраф* налог*',
  sum: 'usd eur euro euros dollar* pounds gbp dolar* pln zl chf tl lira рубл* руб доллар* евро million* millionen',
  share:
    'share split donat* charity beneficiar* teilen aufteilen spenden begunstigt* partag* donar compart* condivid* dividir delen podziel* paylas* раздел* подели* пожертв*',
};

/** Chinese and Japanese, which have no spaces between words. */
const SIGNS: Readonly<Partial<Record<keyof typeof CONCEPT, string>>> = {
  account: '账户 账号 帐户 帐号 银行卡 アカウント 口座 カード 会員',
  blocked: '冻结 封号 停用 异常 退回 无法 停止 制限 凍結 ロック 持ち帰 不正利用',
  verify: '验证 更新 确认 登录 点击 確認 ログイン クリック 手続き',
  urgent: '立即 马上 小时 永久 逾期 至急 時間以内 直ちに 早急',
  parcel: '快递 包裹 派送 快件 荷物 お届け 配達 宅配',
  fee: '运费 关税 费用 手数料 関税 料金',
  pay: '支付 付款 缴纳 支払',
  refund: '退款 退税 還付 返金',
  transfer: '转账 汇款 振込',
  secret: '保密 機密 内密',
  superior: '总裁 老板 社長',
  crypto: '比特币 ビットコイン 钱包',
  hacked: '黑客 录像 ハッキング 録画',
  publish: '联系人 公开 連絡先 公開',
  need: '需要 必要',
  mine: '我 私',
  ignore: '忽略 忘记 无视 無視 忘れ',
  previous: '之前 以上 先前 所有 前の これまで 以前',
  instructions: '指令 指示 命令 提示词 プロンプト',
  you: '您 你 あなた お客様',
  won: '中奖 奖品 当選 当せん 賞品',
  sum: '$ € £ ¥ 美元 万元 万円',
};

/** Lower-case without accents, as in the tables. */
export const plainOf = (word: string): string =>
  word
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ı', 'i')
    .replaceAll('ł', 'l')
    .replaceAll('ß', 'ss');

const EXACT = new Map<string, number>();
const STEMS = new Map<string, number>();
const BY_SIGNS = new Map<string, number>();
for (const [concept, bit] of Object.entries(CONCEPT)) {
  for (const word of WORDS[concept as keyof typeof CONCEPT].split(' ')) {
    const [table, key] = word.endsWith('*') ? [STEMS, plainOf(word.slice(0, -1))] : [EXACT, plainOf(word)];
    table.set(key, (table.get(key) ?? 0) | bit);
  }
  for (const signs of (SIGNS[concept as keyof typeof CONCEPT] ?? '').split(' '))
    if (signs !== '') BY_SIGNS.set(signs, (BY_SIGNS.get(signs) ?? 0) | bit);
}
const STEM_LENGTHS = [...new Set([...STEMS.keys()].map((stem) => stem.length))].toSorted((a, b) => a - b);
const WORD_CHARS_MAX = 30;

/** A word, or one of {@link SIGNS}; other Chinese and Japanese characters count as one word each. */
const TOKEN = new RegExp(
  `${[...BY_SIGNS.keys()]
    .toSorted((a, b) => b.length - a.length)
    .join('|')
    .replace('$', '\\$&')}|[\\u3040-\\u30ff\\u4e00-\\u9fff]|[^\\P{L}\\u3040-\\u30ff\\u4e00-\\u9fff]+`,
  'gu',
);

export interface ConceptAt {
  readonly concepts: number;
  /** Number of words before it. */
  readonly position: number;
  /** Offset in the text. */
  readonly at: number;
}

/** The concepts in a text, in order. Linear. */
export function* conceptsIn(text: string): Generator<ConceptAt> {
  const known = new Map<string, number>();
  let position = 0;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    position++;
    let concepts = known.get(token);
    if (concepts === undefined) {
      concepts = BY_SIGNS.get(token) ?? (token.length > WORD_CHARS_MAX ? 0 : conceptsOf(plainOf(token)));
      known.set(token, concepts);
    }
    if (concepts !== 0) yield { concepts, position, at: index };
  }
}

function conceptsOf(word: string): number {
  let concepts = EXACT.get(word) ?? 0;
  for (const length of STEM_LENGTHS) {
    if (length > word.length) break;
    concepts |= STEMS.get(word.slice(0, length)) ?? 0;
  }
  return concepts;
}
