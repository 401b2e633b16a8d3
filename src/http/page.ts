/** The frame of pages that are plain documents: guides and the list of errors. */
/** The pages' Content-Security-Policy has its hash. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; overflow-wrap: anywhere; }
pre, .table { overflow-x: auto; overflow-wrap: normal; }
pre { padding: 0.75rem; background: color-mix(in srgb, currentColor 8%, transparent); border-radius: 0.4rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: 0.5rem; border-bottom: 1px solid color-mix(in srgb, currentColor 20%, transparent); vertical-align: top; }
td code { white-space: nowrap; }
td :target { scroll-margin-top: 1rem; }
tr:has(:target) { background: color-mix(in srgb, gold 30%, transparent); }
`;

export function renderPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Triptych</title>
<link rel="icon" href="/favicon.svg">
<style>${PAGE_STYLE}</style>
</head>
<body>
<p><a href="/docs/">API reference</a></p>
${body}
</body>
</html>
`;
}

/** Three panels. */
export const FAVICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="#1d2433"/><rect x="5" y="8" width="6" height="16" fill="#f2b84b"/><rect x="13" y="5" width="6" height="22" fill="#e8604c"/><rect x="21" y="8" width="6" height="16" fill="#4bb3a7"/></svg>
`;

export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
