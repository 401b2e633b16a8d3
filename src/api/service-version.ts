import manifest from "../../package.json" with { type: "json" };

export const SERVICE_VERSION: string = manifest.version;
