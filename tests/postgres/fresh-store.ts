/** Empty PostgreSQL stores. Creating a database takes longer than most tests, so a closed one is emptied and reused. */
import { openPostgresStore } from "#store/postgres/store.ts";
import type { Store } from "#store/store.ts";
import { TEST_TIMEOUT_FACTOR } from "#testing/budget.ts";
import { execute, freshStoreDatabase } from "./databases.ts";

/** Some tables always have one row. */
const EMPTY = `
  DO $$ DECLARE name text; BEGIN
    FOR name IN SELECT tablename FROM pg_tables
      WHERE schemaname = 'public' AND tablename NOT IN ('triptych_store', 'trend_state')
    LOOP EXECUTE format('DELETE FROM %I', name); END LOOP;
    ALTER SEQUENCE search_doc_numbers RESTART;
    UPDATE trend_state SET version = 0, computed_version = NULL, day = NULL, computed_at = NULL;
  END $$`;

const free: string[] = [];

export interface FreshStore {
  store: Store;
  url: string;
  close: () => Promise<void>;
}

export async function openFreshStore(clock?: () => number): Promise<FreshStore> {
  const url = free.pop() ?? (await freshStoreDatabase()).url;
  const store = await openPostgresStore({
    url,
    timeoutFactor: TEST_TIMEOUT_FACTOR,
    ...(clock === undefined ? {} : { clock }),
  });
  return {
    store,
    url,
    async close() {
      await store.close();
      await execute(url, EMPTY);
      free.push(url);
    },
  };
}
