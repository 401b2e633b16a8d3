import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { programOf, readConfig } from "#config";
import { CONFIG_FILE } from "./config-file.ts";
import { resolveSettings } from "./settings.ts";
import type { Terminal } from "./terminal.ts";

test("a wrong value is refused with its name and what would be right, and a secret is not repeated", () => {
  const wrong: Record<string, string[]> = {
    PORT: ["65536", "-1", "80x", " "],
    PUBLIC_URL: [
      "triptych.example",
      "ftp://triptych.example",
      "https://ines:pw@x.example",
      "https://x.example/?q",
      "https://x.example/#a",
    ],
    WORKERS: ["0", "65"],
    STORE_URL: ["mysql://host/sesame", "postgres://host", "postgres://host/"],
    STORE_REPLICA_URLS: ["postgres://host/a,sesame"],
    API_TOKEN: ["sesame", "sesame".repeat(4) + " ", "sésame".repeat(4)],
    DEMO: ["yes"],
    DEFAULT_LANG: ["english language"],
    DEFAULT_COUNTRY: ["USA"],
    TIMEZONE: ["Mars/Olympus"],
    CORS_ORIGINS: ["https://app.example/", "https://app.example,app.example"],
    SECURITY_CONTACT: ["security@example.com"],
    TRUSTED_PROXIES: ["10.0.0.0/33", "::1/129", "10.0.0.0/8/8", "10.0.0.0/", "proxy.example"],
    LIVE_SOURCES: ["YouTube"],
    LIVE_QUOTAS: ["youtube-data-api=1", "youtube-data-api.units=many"],
    YOUTUBE_API_KEY: ["sesame open"],
    INSTAGRAM_USER_ID: ["ines"],
    HOST: [" "],
  };
  for (const [name, values] of Object.entries(wrong)) {
    for (const value of values) {
      assert.throws(
        () => readConfig({ STORE_URL: "postgres://host/triptych", [name]: value }),
        ({ message }: Error) => message.startsWith(`${name} must `) && !message.includes("sesame"),
        `${name}=${value}`,
      );
    }
  }
});

test("values are read as they are meant", () => {
  const config = readConfig({
    PUBLIC_URL: "https://triptych.example/",
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318/",
    CORS_ORIGINS: " https://a.example, ,https://b.example",
    TRUSTED_PROXIES: "10.0.0.0/8,::1/128,192.0.2.1",
    LIVE_QUOTAS: "youtube-data-api.units=50000",
    DEFAULT_LANG: "pt-br",
    DEFAULT_COUNTRY: "br",
    RATE_LIMIT: "OFF",
    DEMO: "ON",
    PORT: "65535",
    CACHE_MB: "2",
  });
  assert.equal(config.publicUrl, "https://triptych.example");
  assert.equal(config.otlpEndpoint, "http://127.0.0.1:4318");
  assert.deepEqual(config.corsOrigins, ["https://a.example", "https://b.example"]);
  assert.deepEqual(config.trustedProxies, ["10.0.0.0/8", "::1/128", "192.0.2.1"]);
  assert.deepEqual(config.live.limits, { "youtube-data-api.units": 50_000 });
  assert.deepEqual(config.defaults, { language: "pt-BR", country: "BR", timezone: "UTC" });
  assert.deepEqual([config.limits, config.demo, config.port, config.cacheBytes], ["off", true, 65_535, 2_097_152]);
});

test("an address that clients cannot use is not the public one, and a free port is not known", () => {
  const publicUrl = (HOST: string, PORT = "8080") => readConfig({ HOST, PORT }).publicUrl;
  assert.deepEqual(
    [publicUrl("0.0.0.0"), publicUrl("::"), publicUrl("::1"), publicUrl("127.0.0.1", "0")],
    ["http://127.0.0.1:8080", "http://127.0.0.1:8080", "http://[::1]:8080", null],
  );
});

test("search threads are shared out over the workers: at least one each, at most four", () => {
  const threads = (WORKERS: string) => readConfig({ WORKERS }).searches.threads;
  assert.equal(threads("1"), Math.max(1, Math.min(4, Math.floor(availableParallelism() / 2))));
  assert.equal(threads("64"), Math.max(1, Math.floor(availableParallelism() / 2 / 64)));
});

test("an option overrides the environment, which overrides the file unless it is empty", (t) => {
  const home = mkdtempSync(join(tmpdir(), "triptych-settings-"));
  t.after(() => rmSync(home, { recursive: true }));
  writeFileSync(join(home, CONFIG_FILE), '{"PORT": 1, "HOST": "10.0.0.1", "DEMO": false}');
  const terminal = { env: { TRIPTYCH_HOME: home, PORT: "2", HOST: "10.0.0.2", DEMO: "" } } as unknown as Terminal;
  const { env, sources } = resolveSettings(terminal, { port: "3" });
  const found = ["PORT", "HOST", "DEMO"].map((name) => [env[name], sources.get(name)]);
  assert.deepEqual(found, [
    ["3", "--port"],
    ["10.0.0.2", "environment"],
    ["off", CONFIG_FILE],
  ]);
  assert.equal(env["DATA_DIR"], join(home, "data"));
});

test("hints name the program by the place that it was started from", () => {
  const folder = mkdtempSync(join(tmpdir(), "triptych-place-"));
  try {
    const global = join(folder, "lib", "node_modules", "triptych-server", "dist", "src", "config.js");
    const project = join(folder, "project");
    const local = join(project, "node_modules", "triptych-server", "dist", "src", "config.js");
    mkdirSync(project);
    writeFileSync(join(project, "package.json"), "{}");
    assert.equal(programOf(join(folder, "clone", "src", "config.ts"), {}), "npx triptych");
    assert.equal(programOf(global, {}), "triptych");
    assert.equal(programOf(local, {}), "npx triptych");
    assert.equal(
      programOf(local.replace("project", join(".npm", "_npx", "1f0c2e7a93c5d8b4")), {}),
      "npx triptych-server",
    );
    const container = "docker exec triptych triptych";
    assert.equal(programOf(global, { TRIPTYCH_COMMAND: container }), container);
    assert.equal(programOf(global, { TRIPTYCH_COMMAND: "" }), "triptych");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
