Scalar.createApiReference("#app", {
  url: "/openapi.json",
  // The page must not load from or link to another host.
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: "never",
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
});
