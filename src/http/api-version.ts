/** The day of the contract that this service keeps; in every answer's `Api-Version`. */
export const API_VERSION = "2026-11-15";
