/** The name of `-` in reports. */
export const STANDARD_INPUT = "standard input";
