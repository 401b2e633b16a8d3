/**
 * Renders the Markdown of our own guides to HTML: headings, paragraphs, lists, tables, fenced code, quotes, and inline code,
 * emphasis and links. It is no general renderer: a test compares what the guides use with what it knows.
 */
import { escapeHtml } from "#http/page.ts";

/** Returns the URL for a link's target, or null to show its text only. */
export type ResolveLink = (target: string) => string | null;

export function renderMarkdown(markdown: string, resolveLink: ResolveLink): string {
  const lines = markdown.split("\n");
  const html: string[] = [];
  const inline = (text: string) => renderInline(text, resolveLink);
  /** Takes the lines from the first one on that match. */
  const takeWhile = (matches: (line: string) => boolean): string[] => {
    const end = lines.findIndex((line) => !matches(line));
    return lines.splice(0, end < 0 ? lines.length : end);
  };

  while (lines.length > 0) {
    const line = lines[0] ?? "";
    const heading = /^(#{1,6}) (.+)$/.exec(line);
    const fence = /^( *)```\w*$/.exec(line);
    if (line.trim() === "") lines.shift();
    else if (heading !== null) {
      const [, marks = "", text = ""] = heading;
      html.push(`<h${marks.length} id="${slug(text)}">${inline(text)}</h${marks.length}>`);
      lines.shift();
    } else if (fence !== null) {
      const indent = fence[1]?.length ?? 0;
      lines.shift();
      const code = takeWhile((one) => one.trim() !== "```").map((one) => one.slice(indent));
      html.push(`<pre><code>${escapeHtml(code.join("\n"))}</code></pre>`);
      lines.shift();
    } else if (line.startsWith("    ")) {
      const code = takeWhile((one) => one.startsWith("    ")).map((one) => one.slice(4));
      html.push(`<pre><code>${escapeHtml(code.join("\n"))}</code></pre>`);
    } else if (line.startsWith("|"))
      html.push(
        renderTable(
          takeWhile((one) => one.startsWith("|")),
          inline,
        ),
      );
    else if (LIST_ITEM.test(line)) html.push(renderList(takeWhile(isOfList), inline));
    else if (line.startsWith("> ")) {
      html.push(
        `<blockquote>${inline(
          takeWhile((one) => one.startsWith(">"))
            .map((one) => one.slice(2))
            .join(" "),
        )}</blockquote>`,
      );
    } else html.push(`<p>${inline(takeWhile(isOfParagraph).join(" "))}</p>`);
  }
  return html.join("\n");
}

const LIST_ITEM = /^(?:-|\d+\.) /;

function isOfList(line: string): boolean {
  return LIST_ITEM.test(line) || /^ {2,}(?!`{3})\S/.test(line);
}

function isOfParagraph(line: string): boolean {
  return line.trim() !== "" && !/^(?:#{1,6} |```|\||> )/.test(line) && !LIST_ITEM.test(line);
}

function renderList(lines: readonly string[], inline: (text: string) => string): string {
  const items: string[] = [];
  for (const line of lines) {
    if (LIST_ITEM.test(line)) items.push(line.replace(LIST_ITEM, ""));
    else items.push(`${items.pop() ?? ""} ${line.trim()}`);
  }
  const entries = items.map((item) => `<li>${inline(item)}</li>`).join("");
  // A list continues after a block of code.
  const [first] = /^\d+/.exec(lines[0] ?? "") ?? [];
  return first === undefined ? `<ul>${entries}</ul>` : `<ol start="${first}">${entries}</ol>`;
}

function renderTable(lines: readonly string[], inline: (text: string) => string): string {
  const rows = lines.map((line) =>
    line
      .replace(/^\||\|\s*$/g, "")
      .split(/(?<!\\)\|/)
      .map((cell) => inline(cell.trim().replaceAll("\\|", "|"))),
  );
  const [head = [], , ...body] = rows;
  const toRow = (cells: readonly string[], tag: string) =>
    `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join("")}</tr>`;
  // Wide tables scroll by themselves, so that the page does not.
  return `<div class="table"><table><thead>${toRow(head, "th")}</thead><tbody>${body.map((cells) => toRow(cells, "td")).join("")}</tbody></table></div>`;
}

/** Code is put aside first: what is in it is no other markup. */
function renderInline(text: string, resolveLink: ResolveLink): string {
  const codes: string[] = [];
  const withoutCode = text.replaceAll(/`([^`]+)`/g, (_match, code: string) => {
    codes.push(`<code>${escapeHtml(code.trim())}</code>`);
    return `\u0000${codes.length - 1}\u0000`;
  });
  return (
    escapeHtml(withoutCode)
      // Anchors are the only HTML that guides contain.
      .replaceAll(/&lt;a id=&quot;([\w-]+)&quot;&gt;&lt;\/a&gt;/g, '<a id="$1"></a>')
      .replaceAll(/&lt;(https?:[^\s&]+)&gt;/g, '<a href="$1">$1</a>')
      .replaceAll(/\[([^[\]]+)\]\(([^()\s]+)\)/g, (_match, label: string, target: string) => {
        const url = resolveLink(target);
        return url === null ? label : `<a href="${url}">${label}</a>`;
      })
      .replaceAll(/\*\*(.+?)\*\*/g, "<strong>$1</strong>")
      .replaceAll(/(?<![\w/"])_([^_<]+)_(?![\w/"])/g, "<em>$1</em>")
      // oxlint-disable-next-line no-control-regex -- no guide contains this character
      .replaceAll(/\u0000(\d+)\u0000/g, (_match, index: string) => codes[Number(index)] ?? "")
  );
}

/** As GitHub makes them, so that links to headings work in both places. */
function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}
