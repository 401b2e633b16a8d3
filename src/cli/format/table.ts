/** Aligns rows in columns. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, displayWidth(cell));
  }
  return rows
    .map((row) => {
      const cells = row.map((cell, index) => (index === row.length - 1 ? cell : padCell(cell, widths[index] ?? 0)));
      return `${cells.join("  ").trimEnd()}\n`;
    })
    .join("");
}

const STYLING = new RegExp(String.raw`${"\u001b"}\[\d+m`, "g");
const ZERO_WIDTH = /[\p{M}\p{Cf}]/gu;
const WIDE =
  /[\p{Emoji_Presentation}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff01-\uff60]/u;

/** Columns that a terminal takes for the text. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text.replaceAll(STYLING, "").replaceAll(ZERO_WIDTH, ""))
    width += WIDE.test(character) ? 2 : 1;
  return width;
}

function padCell(cell: string, width: number): string {
  return cell + " ".repeat(Math.max(0, width - displayWidth(cell)));
}
