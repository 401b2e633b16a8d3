import { Type } from "#api/schema.ts";
import { wireObject } from "#api/wire.ts";

export const ErasureCounts = wireObject(
  {
    account: Type.Integer(),
    post: Type.Integer(),
    comment: Type.Integer({ description: "Their own, and those below their posts." }),
    subtitles: Type.Integer(),
    follow: Type.Integer({ description: "In both directions." }),
    chart: Type.Integer({ description: "Chart entries." }),
    sound: Type.Integer(),
    history: Type.Integer({ description: "Points of counters." }),
    mention: Type.Integer({ description: "Records of others that lose a tag, a mention or an embedded profile." }),
    file: Type.Integer({ description: "File names in the import history." }),
  },
  { description: "Rows by kind. Search documents and cached responses go with them." },
);
