import assert from "node:assert/strict";
import { test } from "node:test";
import { aliases, select, selectAs } from "./select.ts";
import { bigint, defineTable, text } from "./table.ts";
import type { Sql } from "./sql.ts";

const PETS = defineTable("pets", { columns: { id: text, born_at: bigint }, key: ["id"] });

test("a statement names the columns of its table, under other names where it says so", () => {
  assert.equal(select(PETS, ["born_at", "id"], "WHERE id = $1"), "SELECT born_at, id FROM pets WHERE id = $1");
  assert.equal(selectAs(PETS, { id: "id", bornAt: "born_at" }, ""), 'SELECT id, born_at AS "bornAt" FROM pets ');
  assert.equal(aliases({ bornAt: "born_at" }), 'born_at AS "bornAt"');
});

test("the compiler knows the rows, and refuses columns that the table lacks", async () => {
  const sql = { all: () => [{ id: "rex", born_at: 2 }] } as unknown as Sql;
  const [first] = await sql.all(select(PETS, ["id", "born_at"], ""));
  const born: number | undefined = first?.born_at;
  assert.equal(born, 2);
  // @ts-expect-error -- no such column
  select(PETS, ["name"], "");
  const [only] = await sql.all(select(PETS, ["id"], ""));
  // @ts-expect-error -- not selected
  assert.equal(only?.born_at, 2);
  // @ts-expect-error -- no such column
  selectAs(PETS, { name: "title" }, "");
});
