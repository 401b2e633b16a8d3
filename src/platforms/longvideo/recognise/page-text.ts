/** Texts on YouTube's pages (plain, in runs, or with attributes) and the numbers in them. */
import type { Estimate } from "#domain/approximate.ts";
import { type Fields, readFilledText, readItems, readObjectAt, readObjects } from "#import/capture/field-readers.ts";

/** From `{simpleText}`, `{runs: [{text}]}`, `{content}` or a plain string. */
export function readPageText(value: unknown): string | undefined {
  if (typeof value === "string") return readFilledText(value);
  const { simpleText, content, runs } = readObjectAt(value);
  if (!Array.isArray(runs)) return readFilledText(simpleText) ?? readFilledText(content);
  // A run may be only the space between two others.
  const parts = readObjects(runs).map(({ text }) => (typeof text === "string" ? text : ""));
  return readFilledText(parts.join(""));
}

/** Whether it is one of the page's own texts, which other formats do not have. */
export function isPageText(value: unknown): boolean {
  const text = readObjectAt(value);
  return "runs" in text || "simpleText" in text;
}

export function firstRun(value: unknown): Fields {
  return readObjectAt(readItems(readObjectAt(value)["runs"])[0]);
}

const GROUPED = /^[^\d\p{L}\p{M}]{0,3}?(\d{1,3}(?:[.,\s\u00A0\u202F'’]\d{3})+|\d+)(?![\d.,])\s*(.*)$/su;

/** Words for thousands and above, in the languages of YouTube's pages. */
const MAGNITUDES: [factor: number, words: string][] = [
  [1e3, "k mil tsd tys tis hilj tūkst tuh mijë rb ribu bin ming tn e n þ тыс тис хил хиљ илј мың миң мян χιλ հզր ათ"],
  [1e3, "ألف آلاف هزار ہزار हज़ार हजार ह হা હજાર ਹਜ਼ਾਰ ହ ஆ వే ಸಾ ሺ ພັນ ពាន់ ထောင် 千 천 thousand"],
  [1e4, "万 萬 만 သောင်း"],
  [1e5, "lakh lac l लाख লা લાખ ਲੱਖ لاکھ သိန်း"],
  [1e6, "m mil. mio mill mln mn mi milj j jt juta tr triệu млн мил м сая εκ մլն მლნ"],
  [1e6, "مليون ملايين میلیون ନି மி మి ಮಿ ሚ ລ້ານ លាន သန်း million"],
  [1e7, "crore cr करोड़ करोड क कोटी কো કરોડ ਕਰੋੜ کروڑ ကုဋေ ဋေ"],
  [1e8, "億 亿 억"],
  [1e9, "b mrd mld mlr mlrd mljrd md mjd mia ma mr bi g km mm млрд млд милј ми тэрбум δισ մլրդ მლრდ მლრ"],
  [1e9, "مليار میلیارد ارب अरब अब्ज अ અબજ ਅਰਬ ବି பி బి ಬಿ ቢ ຕື້ ប៊ីលាន billion"],
];
const FACTORS = new Map(MAGNITUDES.flatMap(([factor, words]) => words.split(" ").map((word) => [word, factor])));
/** What differs between languages, such as "t", and rare combinations. Indonesian has "M x" for a thousand million. */
const UNKNOWN = ["t", "т", "м\\.", "m\\sx", "mil\\sm", "kcr", "শত\\sকো"];
/** In some scripts the next word follows directly: 12万回視聴. */
const UNSPACED = /^[\p{sc=Han}\p{sc=Hangul}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const WORDS = [...UNKNOWN, ...[...FACTORS.keys()].map((word) => word.replace(".", "\\."))].toSorted().toReversed();
const MAGNITUDE = new RegExp(
  `^(${WORDS.filter((word) => UNSPACED.test(word)).join("|")}|(?:${WORDS.join("|")})(?![\\p{L}\\p{M}]))`,
  "iu",
);

/** Korean and Thai have the word for views or comments before the number. */
const WORD_BEFORE = /^(?:조회수|댓글|ดู)\s*/u;

function readCountText(value: unknown): string {
  return (readPageText(value) ?? "").trim().replace(WORD_BEFORE, "");
}

/** "1,234,567 views" is 1234567. "1.2M views" is rounded, so it is undefined. */
export function readExactCount(value: unknown): number | undefined {
  const [, digits, rest = ""] = GROUPED.exec(readCountText(value)) ?? [];
  if (digits === undefined || MAGNITUDE.test(rest)) return undefined;
  const count = Number(digits.replaceAll(/\D/g, ""));
  return Number.isSafeInteger(count) ? count : undefined;
}

const ROUNDED = /^[^\d\p{L}\p{M}]{0,3}?(\d{1,4})(?:[.,](\d{1,2}))?\s?(\D*)$/su;

/** "1,234" is exact; "1.2K" is 1200, and at most 100 more, since YouTube rounds down. */
export function readDisplayedCount(value: unknown): number | Estimate | undefined {
  const exact = readExactCount(value);
  if (exact !== undefined) return exact;
  const text = readCountText(value);
  const [, whole, fraction = "", rest = ""] = ROUNDED.exec(text) ?? [];
  const word = MAGNITUDE.exec(rest)?.[1]?.toLowerCase() ?? "";
  const factor = word === "b" && /\d\sb/i.test(text) ? readSpacedB(text) : FACTORS.get(word);
  if (whole === undefined || factor === undefined) return undefined;
  const margin = factor / 10 ** fraction.length;
  return { value: Math.round(Number(`${whole}${fraction}`) * margin), margin };
}

/** Turkish pages have "1,2 B" for 1.2 thousand; English ones have no space there, but people may write "1.2 B". */
function readSpacedB(text: string): number | undefined {
  if (/,\d{1,2}\sb|\sb\s(?:görüntüleme|abone|beğeni)/i.test(text)) return 1e3;
  return /\.\d{1,2}\sb|\sb\s(?:views|subscribers|likes)/i.test(text) ? 1e9 : undefined;
}

/** In lists of texts, only the word tells views from other numbers. */
const VIEWS =
  /\bviews?$|\baufrufe?$|\bvues?$|\bvisuali[sz]a|\bvistas?$|просмотр|視聴$|观看|觀看|조회수|görüntüleme$|wyświetl|\bweergaven$/iu;

/** "26K views"; "No views" is zero. Undefined for texts about anything else. */
export function readViews(value: unknown): number | Estimate | undefined {
  const text = readPageText(value)?.trim() ?? "";
  if (/^no views$/i.test(text)) return 0;
  return VIEWS.test(text) ? readDisplayedCount(text) : undefined;
}
