/** Archives made in code for the tests, the hostile ones included. */
import { crc32, deflateRawSync } from "node:zlib";
import { pack } from "tar-stream";

export interface SampleEntry {
  name: string;
  data?: string | Buffer;
  /** Unix mode with the kind of file, such as 0o120777 for a link. */
  mode?: number;
  stored?: boolean;
  encrypted?: boolean;
  /** Point at the bytes of the entry with this position instead of own ones. */
  sharing?: number;
}

export function zipOf(entries: readonly SampleEntry[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  const places: { offset: number; packed: Buffer; data: Buffer }[] = [];
  let offset = 0;
  for (const { name, data = "", mode = 0o100644, stored = false, encrypted = false, sharing } of entries) {
    const raw = Buffer.from(data);
    const own = { offset, data: raw, packed: stored ? raw : deflateRawSync(raw) };
    const place = sharing === undefined ? own : places[sharing]!;
    places.push(place);
    const nameBytes = Buffer.from(name);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(0x0800 | (encrypted ? 1 : 0), 2);
    fields.writeUInt16LE(stored ? 0 : 8, 4);
    fields.writeUInt16LE(0x5a21, 8);
    fields.writeUInt32LE(crc32(place.data), 10);
    fields.writeUInt32LE(place.packed.length, 14);
    fields.writeUInt32LE(place.data.length, 18);
    fields.writeUInt16LE(nameBytes.length, 22);
    if (sharing === undefined) {
      const local = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), fields, nameBytes, place.packed]);
      locals.push(local);
      offset += local.length;
    }
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(mode * 0x10000, 6);
    tail.writeUInt32LE(place.offset, 10);
    const made = Buffer.from([20, 3]);
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02", "latin1"), made, fields, tail, nameBytes]));
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, central, end]);
}

export interface SampleTarEntry {
  name: string;
  data?: string | Buffer;
  type?: "file" | "symlink" | "link" | "fifo" | "character-device";
}

export async function tarOf(entries: readonly SampleTarEntry[]): Promise<Buffer> {
  const archive = pack();
  for (const { name, data = "", type = "file" } of entries) {
    const linkname = type === "symlink" || type === "link" ? "/etc/hostname" : "";
    archive.entry({ name, type, linkname, mtime: new Date(1_700_000_000_000) }, Buffer.from(data));
  }
  archive.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of archive) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks);
}

/** A line of JSON, compressed with `xz -9e`. */
export const SMALL_XZ = Buffer.from(
  "/Td6WFoAAATm1rRGAgAhARwAAAAQz1jM4AAtACZdAD2IiSaBk1PERacusdjQPz4C+H6XsBCSosiKKs4KnMWLDIJ6XQAAAAAATJfckPeKb+kAAUIuY5UfPh+2830BAAAAAARZWg==",
  "base64",
);

/** 32 MiB of zeros, compressed with `xz -9e` and then, since that is mostly the same byte, with gzip for keeping. */
export const XZ_BOMB_IN_GZIP = Buffer.from(
  "H4sIAAAAAAACA/trXhURxcDA8uzaFjcmBkVGGQYGBoHzEWf+/xdkzIllYMj/+///4u3/3e08RIssEwN3TNJ4triN/ee7J3JNl/WPWtkwem+sO9nV5au/mPdm/bLHPcqCwQ8iJY6Wdj0q/7FtSj1P1oF7JZ4pj17GBG9iufHdhWd1PG+u28unh8s6tk8LX7PN92GmbP5v7w6BHKfTHfYxDP0X/NaraUwplLftV3lYMG+5cvwbjdOtF6fO6KrTmvhJvfS75AG2Gb4z/t5Yf3UC/xHV4B9fJ5oZsi7d8C7/YIGvO8/FiYKr1ibI7jq3UV0iJrLtZVpQxL6XZWsinzyNZuX4efzW2j+/g7RLzspFKzj9vBts+0MzhdO64bRWzv2t1h+O7NWLX8Vv553mNEGY77/A5B+FFZE/uM/+n6rhxr/yT82937MM9MIO9Ld+bm48kEplq/d4qD+LmP9fgFGb4U1x8PK/+9bVGErN395rmDdywoA0qwP57TeNBthogI0G2GiAjQbYaICNBthogI0G2GiAjQbYaICNBthogI0G2GiADa4Aa+B7x8DG8KCPcScDEFh/P3p0X/jkbQyMn9UaGhoEohy6TDYeSf/NBJJkiYwCAOwj/t2YEwAA",
  "base64",
);
