/** Where the demo people live, with two invented places per city. */
import type { Language } from "./topics/topic.ts";

export interface City {
  /** In English. */
  name: string;
  /** In the local language. */
  local: string;
  country: string;
  /** Spoken by the demo people who live there. */
  language: Language;
  latitude: number;
  longitude: number;
  places: [string, string];
}

export const CITIES: readonly City[] = [
  city("Portland", "US", "en", 45.52, -122.68, ["Fernhollow Food Yard", "Lantern Bridge Park"]),
  city("Chicago", "US", "en", 41.88, -87.63, ["Old Tannery Rooftop", "Lakeglass Promenade"]),
  city("Austin", "US", "en", 30.27, -97.74, ["Juniper Lot Market", "Blue Heron Bandstand"]),
  city("Bristol", "GB", "en", 51.45, -2.59, ["Larkfield Row Market", "The Kiln Yard"]),
  city("Glasgow", "GB", "en", 55.86, -4.25, ["Thistledown Arcade", "Ropewalk Studios"]),
  city("Leeds", "GB", "en", 53.8, -1.55, ["Copperbeech Allotments", "Canal Lane Chess Tables"]),
  city("Berlin", "DE", "en", 52.52, 13.4, ["Holunderhof", "Ufergarten Nord"]),
  city("Leipzig", "DE", "en", 51.34, 12.37, ["Alte Garnhalle", "Papierfabrik Sieben"]),
  city("São Paulo", "BR", "en", -23.55, -46.63, ["Mercado da Figueira", "Praça dos Vagalumes"]),
  city("Recife", "BR", "en", -8.05, -34.88, ["Cais do Caju", "Ladeira das Cores"]),
  city("Mexico City", "MX", "es", 19.43, -99.13, ["Mercado del Colibrí", "Patio Jacaranda"], "Ciudad de México"),
  city("Oaxaca", "MX", "es", 17.06, -96.72, ["Plaza del Telar", "Cocina La Comadreja"]),
  city("Guadalajara", "MX", "es", 20.67, -103.35, ["Callejón del Barro", "Foro Mezquite"]),
  city("Seville", "ES", "es", 37.39, -5.99, ["Corral del Azahar", "Plaza de la Noria"], "Sevilla"),
  city("Valencia", "ES", "es", 39.47, -0.38, ["Huerto del Faro", "Nave Naranja"]),
  city("Bilbao", "ES", "es", 43.26, -2.93, ["Muelle de la Grúa", "Taller Siete Calas"]),
  city("Cairo", "EG", "ar", 30.04, 31.24, ["مقهى النخلة البيضاء", "سوق الفوانيس الصغير"], "القاهرة"),
  city("Alexandria", "EG", "ar", 31.2, 29.92, ["رصيف النورس", "حديقة المرسى القديم"], "الإسكندرية"),
  city("Dubai", "AE", "ar", 25.2, 55.27, ["سكة اللؤلؤ", "ساحة الغاف"], "دبي"),
  city("Sharjah", "AE", "ar", 25.35, 55.42, ["بيت الخزف", "ممشى السدرة"], "الشارقة"),
  city("Tokyo", "JP", "ja", 35.68, 139.69, ["つばめ横丁", "青葉台屋上庭園"], "東京"),
  city("Kyoto", "JP", "ja", 35.01, 135.77, ["月見坂の窯", "糸屋通り市場"], "京都"),
  city("Sapporo", "JP", "ja", 43.06, 141.35, ["白樺広場", "雪灯り喫茶"], "札幌"),
  city("Delhi", "IN", "hi", 28.61, 77.21, ["गुलमोहर चौक", "लालटेन बाज़ार"], "दिल्ली"),
  city("Jaipur", "IN", "hi", 26.91, 75.79, ["मोरपंख हवेली बाग", "नीम वाली गली"], "जयपुर"),
  city("Pune", "IN", "hi", 18.52, 73.86, ["पतंग मैदान", "कचनार छत बगीचा"], "पुणे"),
];

export function cityName(of: City, language: Language): string {
  return language === of.language ? of.local : of.name;
}

function city(
  name: string,
  country: string,
  language: Language,
  latitude: number,
  longitude: number,
  places: [string, string],
  local = name,
): City {
  return { name, local, country, language, latitude, longitude, places };
}
