/** Words that start the program on the service's machine: the service writes them into the page. */
export const PROGRAM = document.querySelector<HTMLMetaElement>("meta[name=program]")?.content ?? "triptych";
