/**
 * Checks of deploy/ without a container engine: the files are well-formed, agree with the service and with each other,
 * and the files of the image start and pass their health checks.
 */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, matchesGlob, resolve } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { parseDocument } from "yaml";
import { openSecrets } from "#testing/secrets.ts";
import { SETTINGS } from "#config";
import { parseImports } from "#testing/import-graph.ts";
import { programEnvironment } from "#testing/program-environment.ts";

const ROOT = resolve(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

interface Manifest {
  version: string;
  optionalDependencies: Record<string, string>;
}
const MANIFEST = JSON.parse(read("package.json")) as Manifest;

/** PEPPER is read by start.sh; the other three are of the PostgreSQL store. */
const OTHER_SETTINGS = ["PEPPER", "STORE_URL", "STORE_REPLICA_URLS", "STORE_MAX_LAG_S"];
const SETTING_NAMES = new Set([...SETTINGS.map(({ name }) => name), ...OTHER_SETTINGS]);
const settingOf = (name: string) => SETTINGS.find((setting) => setting.name === name);
const PORT = Number(settingOf("PORT")?.fallback);

function readYaml(path: string): unknown {
  const document = parseDocument(read(path), { strict: true, uniqueKeys: true, merge: true });
  assert.deepEqual([...document.errors, ...document.warnings], [], path);
  return document.toJS();
}

/** Instructions with their continued lines joined, comments left out. */
const INSTRUCTIONS = read("deploy/Dockerfile")
  .replaceAll(/^#.*\n/gm, "")
  .replaceAll(/\\\n\s*/g, "")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => ({ word: line.slice(0, line.indexOf(" ")), rest: line.slice(line.indexOf(" ") + 1) }));
const argumentsOf = (word: string, lines = INSTRUCTIONS) =>
  lines.filter((line) => line.word === word).map(({ rest }) => rest);
const commandIn = (rest: string | undefined) => JSON.parse(rest?.slice(rest.indexOf("[")) ?? "") as string[];

/** What is taken from the repository, without what is taken from an earlier stage. */
const copiedIn = (lines: typeof INSTRUCTIONS) =>
  argumentsOf("COPY", lines)
    .filter((rest) => !rest.startsWith("--from="))
    .flatMap((rest) => rest.split(" ").slice(0, -1));
const COPIED = copiedIn(INSTRUCTIONS);
/** The stage that builds what browsers get. */
const BUILDING = copiedIn(
  INSTRUCTIONS.slice(
    INSTRUCTIONS.findIndex(({ rest }) => rest.endsWith(" AS build")),
    INSTRUCTIONS.findLastIndex(({ word }) => word === "FROM"),
  ),
);
/** Of the last stage, which is the image. */
const SHIPPED = copiedIn(INSTRUCTIONS.slice(INSTRUCTIONS.findLastIndex(({ word }) => word === "FROM")));
const IGNORED = read("deploy/Dockerfile.dockerignore")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"));
/** The last matching line decides. */
const reachesBuilder = (path: string) =>
  IGNORED.findLast((line) => {
    const pattern = line.replace("!", "");
    return [pattern, `${pattern}/**`].some((glob) => matchesGlob(path, glob));
  })?.startsWith("!") === true;

test("the image has the Node version of the tests, by an exact tag", () => {
  const versions = new Set(Object.values(MANIFEST.optionalDependencies));
  assert.equal(versions.size, 1);
  for (const from of argumentsOf("FROM")) {
    assert.equal(/^node:([\d.]+)-\w+-slim(?: AS \w+)?$/.exec(from)?.[1], [...versions][0], from);
  }
  assert.equal(argumentsOf("FROM").length, 3);
});

test("the image copies files that exist and are not ignored", () => {
  assert.ok(COPIED.includes("src") && COPIED.includes("package-lock.json"));
  for (const path of COPIED) {
    assert.ok(existsSync(join(ROOT, path)), `${path} does not exist`);
    assert.ok(reachesBuilder(path), `${path} is ignored`);
  }
  for (const path of [
    "data/pepper",
    "deploy/.env",
    "deploy/kubernetes/secret.env",
    ".git/HEAD",
    "src/serve/data-dir.test.ts",
    "src/store/records/conformance.ts",
    "testing/recording-collector.ts",
    "tests/test-server.ts",
  ])
    assert.ok(!reachesBuilder(path), path);
});

test("the image has no test code: every source file is imported from the entry point", () => {
  const files = SHIPPED.flatMap((path) => [path, ...globSync(`${path}/**/*`, { cwd: ROOT })]).filter(reachesBuilder);
  const reached = new Set(["src/cli/main.ts"]);
  for (const file of reached) {
    if (!file.endsWith(".ts")) continue;
    for (const { target } of parseImports(file, read(file))) if (existsSync(join(ROOT, target))) reached.add(target);
  }
  const sources = files.filter((path) => path.endsWith(".ts")).toSorted();
  assert.deepEqual(sources, [...reached].filter((path) => path.endsWith(".ts")).toSorted());
  assert.deepEqual(
    files.filter((path) => /(?:^|\/)fixtures(?:\/|$)/.test(path)),
    [],
  );
});

test("the image has the console and the pages below /docs/, built from what their stage copies", () => {
  const built = argumentsOf("COPY").find((rest) => rest.startsWith("--from=build "));
  assert.equal(built, "--from=build /app/dist dist");
  for (const program of ["console/build.ts", "scripts/pages/build.ts"])
    assert.ok(argumentsOf("RUN").includes(`node ${program}`), program);
  for (const path of ["client", "console", "scripts/pages", "docs"])
    assert.ok(COPIED.includes(path) && !SHIPPED.includes(path), path);
  for (const path of ["client/operations.ts", "console/src/main.tsx", "console/index.html"])
    assert.ok(reachesBuilder(path), path);
});

test("the image runs as a numeric user, writes only to /data, and has a health check", () => {
  assert.match(argumentsOf("USER").at(-1) ?? "", /^[1-9]\d*:[1-9]\d*$/);
  assert.ok(argumentsOf("RUN").some((run) => /^npm ci .*--omit=dev/.test(run)));
  const { SQLITE_TMPDIR, ...environment } = Object.fromEntries(
    argumentsOf("ENV").flatMap((rest) =>
      [...rest.matchAll(/(\w+)=(?:"([^"]*)"|(\S*))/g)].map(([, name = "", quoted, plain]) => [name, quoted ?? plain]),
    ),
  );
  // The name by which docs/deploying.md starts the container, and the link by which the program is found in it.
  const program = "docker exec triptych triptych";
  assert.deepEqual(environment, { HOST: "0.0.0.0", PORT: String(PORT), DATA_DIR: "/data", TRIPTYCH_COMMAND: program });
  // Not /tmp, which docs/deploying.md keeps in memory: a rewrite after an erasure is as large as the store.
  assert.equal(SQLITE_TMPDIR, "/data");
  assert.ok(argumentsOf("RUN").includes("ln -s /app/bin/triptych.mjs /usr/local/bin/triptych"));
  for (const [name, value] of Object.entries(environment)) assert.equal(settingOf(name)?.check(value), null, name);
  assert.deepEqual(argumentsOf("VOLUME"), ["/data"]);
  assert.deepEqual(argumentsOf("EXPOSE"), [String(PORT)]);
  assert.equal(argumentsOf("HEALTHCHECK").length, 1);
});

test("the files of the image start with the given pepper, pass both probes, and the health check detects a stopped service", async () => {
  const folder = mkdtempSync(join(tmpdir(), "triptych-image-"));
  try {
    const [app, build, data] = [join(folder, "app"), join(folder, "build"), mkdtempSync(join(folder, "data-"))];
    copyTo(app, SHIPPED);
    copyTo(build, BUILDING);
    assert.equal(spawnSync(process.execPath, ["scripts/pages/build.ts"], { cwd: build, stdio: "inherit" }).status, 0);
    cpSync(join(build, "dist"), join(app, "dist"), { recursive: true });
    const files = globSync("**", { cwd: app, exclude: ["node_modules/**"] });
    const env = programEnvironment({
      PATH: [dirname(process.execPath), process.env["PATH"]].join(delimiter),
      HOST: "127.0.0.1",
      PORT: "0",
      DATA_DIR: data,
      DEMO: "off",
      LOG_LEVEL: "silent",
      API_TOKEN: "a token for this test only",
      PEPPER: "5a".repeat(32),
    });
    const [program, ...args] = [
      ...commandIn(argumentsOf("ENTRYPOINT")[0]),
      ...commandIn(argumentsOf("CMD")[0]),
      "--json",
    ];
    const node = spawn(program, args, { cwd: app, env, stdio: ["ignore", "pipe", "inherit"] });
    const exited = once(node, "exit");
    try {
      const [line] = (await Promise.race([once(createInterface(node.stdout), "line"), exited])) as [string];
      const { address } = JSON.parse(line) as { address: string };
      for (const probe of ["/healthz", "/readyz"]) assert.equal((await fetch(address + probe)).status, 200, probe);
      for (const page of ["", "js/start.js", "js/scalar.js", "guides/api", "errors"])
        assert.equal((await fetch(`${address}/docs/${page}`)).status, 200, page);
      const [command = "", ...commandArgs] = commandIn(argumentsOf("HEALTHCHECK")[0]);
      const health = () =>
        spawnSync(command, commandArgs, { env: { ...env, PORT: new URL(address).port }, stdio: "ignore" }).status;
      assert.equal(health(), 0);
      node.kill("SIGTERM");
      assert.deepEqual(await exited, [0, null]);
      assert.equal(health(), 1);
    } finally {
      node.kill("SIGKILL");
    }
    assert.equal(readFileSync(join(data, "pepper"), "utf8").trim(), env["PEPPER"]);
    assert.equal(statSync(join(data, "pepper")).mode & 0o777, 0o600);
    assert.deepEqual(globSync("**", { cwd: app, exclude: ["node_modules/**"] }), files);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

function copyTo(target: string, paths: readonly string[]): void {
  for (const path of paths)
    cpSync(join(ROOT, path), join(target, path), {
      recursive: true,
      filter: (source) => reachesBuilder(source.slice(ROOT.length + 1)),
    });
  symlinkSync(join(ROOT, "node_modules"), join(target, "node_modules"));
}

interface ComposeService {
  image: string;
  build?: { context: string; dockerfile: string };
  environment?: Record<string, string>;
  read_only?: boolean;
  tmpfs?: string[];
  cap_drop?: string[];
  security_opt?: string[];
  ports?: string[];
  volumes: string[];
  healthcheck?: { test: string[] };
  depends_on?: Record<string, { condition: string }>;
  networks: string[];
}
interface Compose {
  services: Record<string, ComposeService>;
  networks: Record<string, object>;
  volumes: Record<string, object>;
}
const COMPOSE = readYaml("deploy/compose.yaml") as Compose;
const SERVICES = Object.entries(COMPOSE.services);
const NODES = SERVICES.filter(([name]) => name.startsWith("node-"));

test("three nodes differ only in their volume, are locked down, and use existing settings", () => {
  assert.equal(NODES.length, 3);
  assert.equal(new Set(NODES.map(([, { volumes }]) => volumes.join())).size, 3);
  for (const [name, node] of NODES) {
    assert.deepEqual({ ...node, volumes: [] }, { ...NODES[0]?.[1], volumes: [] }, name);
    assert.deepEqual(node.volumes, [`${name}:/data`]);
    assert.deepEqual([node.read_only, node.tmpfs], [true, ["/tmp"]], name);
    assert.equal(
      resolve(ROOT, "deploy", node.build?.context ?? "", node.build?.dockerfile ?? ""),
      join(ROOT, "deploy/Dockerfile"),
    );
    for (const setting of Object.keys(node.environment ?? {})) assert.ok(SETTING_NAMES.has(setting), setting);
    for (const needed of OTHER_SETTINGS) assert.ok(node.environment?.[needed], needed);
  }
});

test("every Compose service is pinned, has no privileges, and refers to files and volumes that exist", () => {
  for (const [name, service] of SERVICES) {
    assert.match(service.image, /^\w+:\d+\.\d+(?:\.\d+)?(?:-alpine)?$/, name);
    if (service.build) assert.equal(service.image, `triptych:${MANIFEST.version}`, name);
    assert.deepEqual(service.cap_drop, ["ALL"], name);
    assert.deepEqual(service.security_opt, ["no-new-privileges:true"], name);
    for (const network of service.networks) assert.ok(network in COMPOSE.networks, network);
    for (const volume of service.volumes) {
      const [source = ""] = volume.split(":");
      if (source.startsWith("./"))
        assert.ok(existsSync(join(ROOT, "deploy", source)) && volume.endsWith(":ro"), volume);
      else assert.ok(source in COMPOSE.volumes, volume);
    }
    for (const [other, { condition }] of Object.entries(service.depends_on ?? {})) {
      assert.equal(condition, "service_healthy");
      // The nodes' health check is in their image.
      assert.ok(COMPOSE.services[other]?.healthcheck ?? COMPOSE.services[other]?.build, other);
    }
  }
});

test("the Compose file has no default secrets, and the guide creates every secret it needs", () => {
  const variables = [...read("deploy/compose.yaml").matchAll(/\$\{(\w+)(:\?|:-)?[^}]*\}/g)];
  const secrets = new Set(variables.filter(([, name]) => name !== "PUBLISH").map(([, name]) => name));
  assert.ok(secrets.size >= 5);
  for (const [whole, name, operator] of variables) assert.equal(operator, name === "PUBLISH" ? ":-" : ":?", whole);
  for (const [, { environment }] of SERVICES) {
    for (const [name, value] of Object.entries(environment ?? {})) {
      if (/PASSWORD|TOKEN|PEPPER|_URL/.test(name)) assert.match(value, /\$\{\w+:\?/, name);
    }
  }
  const [, created = ""] = /for name in ([\w ]+);/.exec(read("docs/deploying.md")) ?? [];
  assert.deepEqual(new Set(created.split(" ")), secrets);
});

test("the load balancer checks the readiness of the Compose nodes on the port of the service", () => {
  const balancer = read("deploy/haproxy.cfg");
  const servers = [...balancer.matchAll(/^\s+server (\S+) (\S+)$/gm)].map(([, name, address]) => [name, address]);
  assert.deepEqual(
    servers,
    NODES.map(([name]) => [name, `${name}:${PORT}`]),
  );
  assert.match(balancer, /^\s+http-check send meth GET uri \/readyz$/m);
  const [, bound = ""] = /^\s+bind :(\d+)$/m.exec(balancer) ?? [];
  const { ports, healthcheck } = COMPOSE.services["balancer"] ?? {};
  assert.ok(ports?.[0]?.endsWith(`:${bound}`));
  assert.ok(healthcheck?.test.at(-1)?.endsWith(`:${bound}/healthz`));
});

test("the shell scripts parse", () => {
  const scripts = globSync("deploy/**/*.sh", { cwd: ROOT });
  assert.equal(scripts.length, 2);
  for (const script of scripts) assert.equal(spawnSync("sh", ["-n", join(ROOT, script)]).status, 0, script);
});

interface Probe {
  httpGet: { path: string; port: string };
}
interface Container {
  image: string;
  ports: { name: string; containerPort: number }[];
  env: { name: string; value?: string; valueFrom?: { secretKeyRef: { name: string; key: string } } }[];
  startupProbe: Probe;
  livenessProbe: Probe;
  readinessProbe: Probe;
  resources: { requests: Record<string, string>; limits: Record<string, string> };
  securityContext: object;
  volumeMounts: { name: string; mountPath: string }[];
}
interface Deployment {
  metadata: { name: string };
  spec: {
    replicas?: number;
    selector: { matchLabels: object };
    template: {
      metadata: { labels: object };
      spec: { securityContext: object; containers: [Container]; volumes: { name: string }[] };
    };
  };
}
interface Kustomization {
  resources: string[];
  images: { name: string; newTag: string }[];
  secretGenerator: { name: string; envs: string[] }[];
}

const KUBERNETES = "deploy/kubernetes";
const DEPLOYMENT = readYaml(`${KUBERNETES}/deployment.yaml`) as Deployment;
const POD = DEPLOYMENT.spec.template.spec;
const [CONTAINER] = POD.containers;
const KUSTOMIZATION = readYaml(`${KUBERNETES}/kustomization.yaml`) as Kustomization;
const SECRET = new Map(
  [...read(`${KUBERNETES}/secret.env.example`).matchAll(/^(\w+)=(.*)$/gm)].map(([, name = "", value = ""]) => [
    name,
    value,
  ]),
);

test("the kustomization names every manifest, this version, and a Secret that is not in the repository", () => {
  const manifests = globSync("*.yaml", { cwd: join(ROOT, KUBERNETES) }).filter((name) => name !== "kustomization.yaml");
  assert.deepEqual(KUSTOMIZATION.resources.toSorted(), manifests.toSorted());
  assert.deepEqual(
    KUSTOMIZATION.images.map(({ name, newTag }) => [name, newTag]),
    [[CONTAINER.image, MANIFEST.version]],
  );
  for (const file of KUSTOMIZATION.secretGenerator.flatMap(({ envs }) => envs))
    assert.ok(read("deploy/.gitignore").split("\n").includes(`kubernetes/${file}`), file);
});

test("the probes of the pod request existing paths", () => {
  assert.deepEqual(CONTAINER.ports, [
    { name: "http", containerPort: PORT },
    { name: "metrics", containerPort: 9464 },
  ]);
  assert.equal(CONTAINER.env.find(({ name }) => name === "METRICS")?.value, "0.0.0.0:9464");
  const get = (path: string) => ({ path, port: "http" });
  assert.deepEqual(CONTAINER.startupProbe.httpGet, get("/healthz"));
  assert.deepEqual(CONTAINER.livenessProbe.httpGet, get("/healthz"));
  assert.deepEqual(CONTAINER.readinessProbe.httpGet, get("/readyz"));
});

test("the pod has no privileges, the user of the image, limits, and writable /data and /tmp", () => {
  const [user, group] = (argumentsOf("USER").at(-1) ?? "").split(":").map(Number);
  assert.deepEqual(POD.securityContext, {
    runAsNonRoot: true,
    runAsUser: user,
    runAsGroup: group,
    fsGroup: group,
    seccompProfile: { type: "RuntimeDefault" },
  });
  assert.deepEqual(CONTAINER.securityContext, {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ["ALL"] },
  });
  assert.ok(CONTAINER.resources.requests["cpu"] && CONTAINER.resources.requests["memory"]);
  assert.ok(CONTAINER.resources.limits["memory"]);
  assert.deepEqual(CONTAINER.volumeMounts.map(({ mountPath }) => mountPath).toSorted(), ["/data", "/tmp"]);
  assert.deepEqual(
    CONTAINER.volumeMounts.map(({ name }) => name),
    POD.volumes.map(({ name }) => name),
  );
});

test("the pod uses existing settings, and secrets that the template names", () => {
  const fromSecret = CONTAINER.env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? []);
  assert.deepEqual(new Set(fromSecret.map(({ key }) => key)), new Set(SECRET.keys()));
  for (const { name } of fromSecret) assert.equal(name, KUSTOMIZATION.secretGenerator[0]?.name);
  for (const { name, value, valueFrom } of CONTAINER.env) {
    assert.ok(SETTING_NAMES.has(name), name);
    assert.equal(valueFrom?.secretKeyRef.key ?? name, name);
    if (value !== undefined) assert.equal(settingOf(name)?.check(value) ?? null, null, name);
  }
});

test("the service rejects the placeholder values of the Secret template", () => {
  for (const [name, value] of SECRET) {
    const setting = settingOf(name);
    if (setting) assert.notEqual(setting.check(value), null, name);
  }
  const data = mkdtempSync(join(tmpdir(), "triptych-secret-"));
  try {
    const script = spawnSync("sh", ["deploy/start.sh", "--version"], {
      cwd: ROOT,
      env: programEnvironment({
        PATH: `${dirname(process.execPath)}${delimiter}${process.env["PATH"]}`,
        DATA_DIR: data,
        PEPPER: SECRET.get("PEPPER") ?? "",
      }),
    });
    assert.equal(script.status, 0);
    assert.throws(() => openSecrets(data), /hexadecimal/);
  } finally {
    rmSync(data, { recursive: true });
  }
});

test("service, disruption budget and autoscaler select this Deployment, whose size the autoscaler sets", () => {
  const labels = DEPLOYMENT.spec.template.metadata.labels;
  assert.ok(Object.keys(labels).length > 0);
  const service = readYaml(`${KUBERNETES}/service.yaml`) as {
    spec: { selector: object; ports: { targetPort: string }[] };
  };
  const budget = readYaml(`${KUBERNETES}/disruption-budget.yaml`) as {
    spec: { selector: object; maxUnavailable: number };
  };
  const scaler = readYaml(`${KUBERNETES}/autoscaler.yaml`) as {
    spec: { minReplicas: number; maxReplicas: number; scaleTargetRef: object };
  };
  assert.deepEqual(DEPLOYMENT.spec.selector, { matchLabels: labels });
  assert.deepEqual(service.spec.selector, labels);
  assert.deepEqual(
    service.spec.ports.map(({ targetPort }) => targetPort),
    ["http"],
  );
  assert.deepEqual(budget.spec.selector, { matchLabels: labels });
  assert.deepEqual(scaler.spec.scaleTargetRef, {
    apiVersion: "apps/v1",
    kind: "Deployment",
    name: DEPLOYMENT.metadata.name,
  });
  assert.equal(DEPLOYMENT.spec.replicas, undefined);
  assert.equal(scaler.spec.minReplicas, 3);
  assert.ok(scaler.spec.maxReplicas > scaler.spec.minReplicas && budget.spec.maxUnavailable < scaler.spec.minReplicas);
});
