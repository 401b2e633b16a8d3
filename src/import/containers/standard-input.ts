/** What `-` is called in reports. */
export const STANDARD_INPUT = "standard input";
