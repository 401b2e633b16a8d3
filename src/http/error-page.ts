/** Renders the page that the `type` of every problem links to. */
import { ERRORS } from "#errors";
import { escapeHtml } from "./markdown.ts";
import { renderPage } from "./page.ts";

export function renderErrorPage(): string {
  const rows = Object.entries(ERRORS)
    .map(
      ([code, { status, number, title, remedy }]) =>
        `<tr id="${code}"><td><a href="#${code}"><code>${code}</code></a></td><td>${status}</td><td>${number}</td><td>${escapeHtml(title)}.</td><td>${renderInlineCode(remedy)}</td></tr>`,
    )
    .join("\n");
  return renderPage(
    "Errors",
    `<h1>Errors</h1>
<p>Every error response is <code>application/problem+json</code>. <code>code</code> is stable; <code>detail</code> says what was wrong, where, and what would be valid.</p>
<div class="table"><table>
<thead><tr><th>code</th><th>HTTP</th><th>statusCode</th><th>Meaning</th><th>What to do</th></tr></thead>
<tbody>
${rows}
</tbody>
</table></div>`,
  );
}

function renderInlineCode(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>");
}
