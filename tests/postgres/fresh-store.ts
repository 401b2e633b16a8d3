/** Empty PostgreSQL stores. Creating a database takes longer than most tests, so a closed one is emptied and reused. */
import { Pool } from "pg";
import { openPostgresStore } from "#store/postgres/store.ts";
import type { Store } from "#store/store.ts";
import { TEST_TIMEOUT_FACTOR } from "#testing/budget.ts";
import { freshStoreDatabase } from "./databases.ts";

/** Some tables always have one row, and one setting says that the search index needs no rebuild. */
const EMPTY = `
  DO $$ DECLARE name text; BEGIN
    FOR name IN SELECT tablename FROM pg_tables
      WHERE schemaname = 'public' AND tablename NOT IN ('triptych_store', 'trend_state', 'purge_state', 'shared_settings')
    LOOP EXECUTE format('DELETE FROM %I', name); END LOOP;
    DELETE FROM shared_settings AS setting WHERE setting.name <> 'search documents';
    ALTER SEQUENCE search_doc_numbers RESTART;
    UPDATE purge_state SET deletions = 0, pending_since = NULL;
    UPDATE trend_state SET version = 0, computed_version = NULL, day = NULL, computed_at = NULL;
  END $$`;

interface ReusedDatabase {
  url: string;
  /** One connection that stays: a new one would first look up every table and index, which takes longer than emptying. */
  cleaner: Pool;
}

const free: ReusedDatabase[] = [];

export interface FreshStore {
  store: Store;
  url: string;
  close: () => Promise<void>;
}

export async function openFreshStore(clock?: () => number): Promise<FreshStore> {
  const database = free.pop() ?? (await createDatabase());
  const { url, cleaner } = database;
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
      await cleaner.query(EMPTY);
      free.push(database);
    },
  };
}

async function createDatabase(): Promise<ReusedDatabase> {
  const { url } = await freshStoreDatabase();
  const options = { connectionString: url, max: 1, idleTimeoutMillis: 0 };
  return { url, cleaner: new Pool({ ...options, allowExitOnIdle: true }) };
}
