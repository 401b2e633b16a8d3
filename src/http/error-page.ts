/** Renders the page that the `type` of every problem links to. */
import { ERRORS } from "#errors";

/** The page's Content-Security-Policy has its hash. */
export const ERROR_PAGE_STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem; color-scheme: light dark; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: 0.5rem; border-bottom: 1px solid color-mix(in srgb, currentColor 20%, transparent); vertical-align: top; }
tr:target { background: color-mix(in srgb, gold 30%, transparent); }
`;

export function renderErrorPage(): string {
  const rows = Object.entries(ERRORS)
    .map(
      ([code, { status, number, title, remedy }]) =>
        `<tr id="${code}"><td><a href="#${code}"><code>${code}</code></a></td><td>${status}</td><td>${number}</td><td>${escape(title)}.</td><td>${renderInlineCode(remedy)}</td></tr>`,
    )
    .join("\n");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Errors · Triptych</title>
<style>${ERROR_PAGE_STYLE}</style>
</head>
<body>
<p><a href="/docs/">API reference</a></p>
<h1>Errors</h1>
<p>Every error response is <code>application/problem+json</code>. <code>code</code> is stable; <code>detail</code> says what was wrong, where, and what would be valid.</p>
<table>
<thead><tr><th>code</th><th>HTTP</th><th>statusCode</th><th>Meaning</th><th>What to do</th></tr></thead>
<tbody>
${rows}
</tbody>
</table>
</body>
</html>
`;
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function renderInlineCode(text: string): string {
  return escape(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>");
}
