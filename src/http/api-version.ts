/** The version of the API contract, sent as `Api-Version` with every response. */
export const API_VERSION = "2026-11-15";
