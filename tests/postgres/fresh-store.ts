/**
 * Empty stores on PostgreSQL, as many as tests ask for. Making a database takes longer than most tests do, so one that
 * was closed is emptied and lent out again.
 */
import { openPostgresStore } from "#store/postgres/store.ts";
import type { Store } from "#store/store.ts";
import { TEST_TIMEOUT_FACTOR } from "#testing/budget.ts";
import { execute, freshStoreDatabase } from "./databases.ts";

/** All but the tables that are never empty. */
const EMPTY = `
  DO $$ DECLARE name text; BEGIN
    FOR name IN SELECT tablename FROM pg_tables
      WHERE schemaname = 'public' AND tablename NOT IN ('triptych_store', 'search_state', 'store_identity')
    LOOP EXECUTE format('DELETE FROM %I', name); END LOOP;
    UPDATE search_state SET newest = 0;
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
