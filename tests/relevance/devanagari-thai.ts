/** Devanagari, whose vowel signs carry meaning and whose dots are often left out; Thai, written without spaces. */
import { judge } from "./judged-query.ts";
import { long, person, photo, short } from "./relevant-doc.ts";

export const devanagariThaiNeedles = [
  long("hi-night-lane", "रात गली", "पाँच मिनट की फ़िल्म।", { language: "hi" }),
  long("hi-sitar", "सितार की पहली सीख", "उँगलियाँ दुखेंगी, फिर नहीं।", { language: "hi" }),
  long("hi-sitar-aside", "हमारा रविवार", "शाम को किसी ने सितार बजाया।", { views: 700_000, language: "hi" }),
  short("hi-jalebi", "गरम जलेबी और ठंडी सुबह"),
  short("hi-jhumka", "मेले में मिला चाँदी का झुमका"),
  short("hi-qila", "पुराने क़िले की सीढ़ियाँ"),
  short("hi-patang", "छत पर पतंगबाज़ी", { tags: ["पतंगबाज़ी"] }),
  short("hi-kabutar", "दादाजी के कबूतर लौट आए"),
  short("hi-kachori", "कचौरी वाली दुकान सुबह पाँच बजे"),
  short("mr-modak", "उकडीचे मोदक आईच्या हातचे"),
  short("ne-momo", "काठको घरमा तातो मम"),
  person("shortvideo", "hi-person", "suhani.barkhane", "सुहानी बरखाने"),
  photo("hi-photo", "नीली दीवार और पीला दुपट्टा", { tags: ["नीलीदीवार"] }),
  long("th-night-market", "ตลาดกลางคืน", "เดินสิบนาทีไม่หยุด", { language: "th" }),
  long("th-boat", "วิธีต่อเรือหางยาวด้วยมือ", "ไม้สักเก่าและความอดทน", { language: "th" }),
  short("th-mango", "ข้าวเหนียวมะม่วงของคุณยาย"),
  short("th-elephant", "ลูกช้างเล่นน้ำตอนบ่าย"),
  short("th-somtam", "ส้มตำเผ็ดมากที่ตลาดริมคลอง"),
  short("th-khaen", "คุณตาเป่าแคนใต้ต้นมะขาม", { tags: ["เป่าแคน"] }),
  short("th-cat", "แมวส้มนอนบนหลังคาวัด"),
  photo("th-photo", "ว่าวจุฬาบนท้องฟ้าสีชมพู", { tags: ["ว่าวจุฬา"] }),
];

const hindi = judge("Devanagari");
const thai = judge("Thai");

export const devanagariThaiQueries = [
  hindi("common words", "longvideo", "रात गली", ["hi-night-lane"]),
  hindi("title over caption", "longvideo", "सितार", ["hi-sitar"]),
  hindi("word", "shortvideo", "जलेबी", ["hi-jalebi"]),
  hindi("marks", "shortvideo", "चांदी झुमका", ["hi-jhumka"]),
  hindi("marks", "shortvideo", "किले", ["hi-qila"]),
  hindi("hashtag", "shortvideo", "#पतंगबाज़ी", ["hi-patang"]),
  hindi("hashtag", "shortvideo", "#पतंगबाजी", ["hi-patang"]),
  hindi("hashtag", "hashtag", "नीलीदीवार", ["hi-photo"]),
  hindi("hashtag as words", "everything", "नीली दीवार", ["hi-photo"], {
    parameters: { platform: "photoshare", kind: "post" },
  }),
  hindi("prefix", "shortvideo", "कबूत", ["hi-kabutar"]),
  hindi("typo", "shortvideo", "कचोरी दुकान", ["hi-kachori"]),
  hindi("phrase", "shortvideo", '"सुबह पाँच बजे"', ["hi-kachori"]),
  hindi("words", "shortvideo", "मोदक हातचे", ["mr-modak"]),
  hindi("words", "shortvideo", "काठको तातो", ["ne-momo"]),
  hindi("exact name", "everything", "सुहानी बरखाने", ["hi-person"], { parameters: { kind: "account" } }),
  thai("common words", "longvideo", "ตลาดกลางคืน", ["th-night-market"]),
  thai("part of a compound", "shortvideo", "มะม่วง", ["th-mango"]),
  thai("part of a compound", "shortvideo", "ข้าวเหนียว", ["th-mango"]),
  thai("part of a compound", "longvideo", "เรือหางยาว", ["th-boat"]),
  thai("prefix", "shortvideo", "มะม่ว", ["th-mango"]),
  thai("word", "shortvideo", "ช้าง", ["th-elephant"]),
  thai("word", "shortvideo", "ส้มตำ", ["th-somtam"]),
  thai("words", "shortvideo", "แมว วัด", ["th-cat"]),
  thai("hashtag", "shortvideo", "#เป่าแคน", ["th-khaen"]),
  thai("hashtag", "hashtag", "ว่าวจุฬา", ["th-photo"]),
  thai("word", "everything", "ท้องฟ้าสีชมพู", ["th-photo"], { parameters: { platform: "photoshare", kind: "post" } }),
];
