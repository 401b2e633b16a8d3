export const STORE_FILE = "triptych.sqlite";
