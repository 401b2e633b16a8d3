/** The page at /docs/, and the script that starts the reference. Two files, so that no script is inline. */

const CONFIGURATION = {
  url: "/openapi.json",
  // The page must not load from or link to another host.
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: "never",
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
};

export const REFERENCE_START = `Scalar.createApiReference("#app", ${JSON.stringify(CONFIGURATION, null, 2)});\n`;

export const REFERENCE_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Triptych API</title>
<link rel="icon" href="/favicon.svg">
</head>
<body>
<div id="app"></div>
<noscript>This page needs JavaScript; the OpenAPI document is at <a href="/openapi.json">/openapi.json</a>.</noscript>
<script src="js/scalar.js"></script>
<script src="js/start.js"></script>
</body>
</html>
`;
