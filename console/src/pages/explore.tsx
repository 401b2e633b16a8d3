/** Search over all platforms. The query, the platform and the kind are in the address, and every facet is a link to one. */
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link, useRouterState } from "@tanstack/react-router";
import { type ReactNode, useSyncExternalStore } from "react";
import type { Search, SearchInput } from "../api/client.ts";
import { searchQuery } from "../api/queries.ts";
import { useCan } from "../api/session.ts";
import { Page } from "../layout/page.tsx";
import { KIND_ICONS, targetOf } from "../layout/search-box.tsx";
import { CopyAs, listAsCsv, urlOf } from "../ui/copy-as.tsx";
import { formatDuration, formatExact, formatNumberOf, languageName } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { Avatar } from "../ui/media.tsx";
import { KIND_LABELS, platformLabel, toItems } from "../ui/platforms.ts";
import { PostCard } from "../ui/post-card.tsx";
import { Empty, Loaded } from "../ui/states.tsx";
import { OWN_CURRENT } from "../ui/tabs.tsx";
import { Counters, PlatformTag, PublishedAge, Words } from "../ui/values.tsx";
import { VirtualRows } from "../ui/virtual-rows.tsx";
import { addTerm, hasTerm, removeTerm } from "./query-terms.ts";

type Result = Search["results"][number];
type Kind = NonNullable<SearchInput["kind"]>;

const route = getRouteApi("/explore");
const TRY = ["street food", "#pottery", "from:nora.lindqvist", "min_views:100k", '"good morning"'];
/** What can be exported by a query. */
const EXPORTED: Partial<Record<Kind, string>> = {
  post: "posts",
  account: "accounts",
  comment: "comments",
  subtitle: "subtitles",
  sound: "sounds",
  hashtag: "hashtags",
  place: "places",
};

export function Explore() {
  const { q = "", platform, kind } = route.useSearch();
  const input = {
    q,
    ...(platform === undefined ? {} : { platform }),
    ...(kind === undefined ? {} : { kind: kind as Kind }),
  };
  if (q === "") return <Start />;
  return <Results key={JSON.stringify(input)} input={input} />;
}

function Start() {
  return (
    <Page title="Explore">
      <Empty icon="search" title="Search posts, people, sounds, hashtags, places, comments and spoken words">
        <p>
          Press <kbd>/</kbd> and type. Words, "phrases", <code>-not</code>, <code>OR</code>, <code>from:</code>,{" "}
          <code>lang:</code>, <code>since:</code> and <code>min_views:</code> work; see the{" "}
          <a href="/docs/guides/search">search guide</a>.
        </p>
        <ul className="chips">
          {TRY.map((q) => (
            <li key={q}>
              <Link to="/explore" search={{ q }} className="chip">
                {q}
              </Link>
            </li>
          ))}
        </ul>
      </Empty>
    </Page>
  );
}

/** A part that a query repeats is ignored as often, and shown once. */
function toLines(ignored: Search["ignored"]): Map<string, Search["ignored"][number]> {
  return new Map(ignored.map((one) => [`${one.term} ${one.reason}`, one]));
}

function Results({ input }: { input: { q: string; platform?: string; kind?: Kind } }) {
  const query = useInfiniteQuery(searchQuery(input));
  const client = useQueryClient();
  const canExport = useCan("export");
  // An export has one kind.
  const kind = input.kind && EXPORTED[input.kind];
  const pages = query.data?.pages ?? [];
  const results = pages.flatMap((page) => page.results);
  const posts = new Map(pages.flatMap((page) => page.posts).map((post) => [`${post.platform}/${post.id}`, post]));
  const authors = new Map(pages.flatMap((page) => page.authors).map((one) => [`${one.platform}/${one.id ?? ""}`, one]));
  // An export has full matches only, and refuses what a search ignores.
  const isExported = pages[0]?.matched === "all" && pages[0].ignored.length === 0;
  const csv =
    canExport && kind !== undefined && isExported
      ? {
          href: urlOf({
            path: `/api/export/${kind}`,
            parameters: { where: pages[0]?.corrected ?? input.q, platform: input.platform, format: "csv" },
          }),
        }
      : listAsCsv(client, "search", searchQuery(input), (all) =>
          all.flatMap((page) =>
            page.results.map(({ counters, approximate: _rough, ...row }) => {
              const author = page.authors.find(
                ({ platform, id }) => id !== null && id === row.author_id && platform === row.platform,
              );
              return { ...row, author_name: author?.name, author_display_name: author?.display_name, ...counters };
            }),
          ),
        );
  return (
    <Page title={input.q} actions={<CopyAs request={{ path: "/api/search", parameters: input }} csv={csv} />}>
      <div className="with-facets">
        <Loaded query={query} rows={6}>
          {({ pages: [first] }) => (
            <>
              {first === undefined ? null : <Facets response={first} input={input} />}
              <section aria-label="Results">
                <output className="muted">{describe(first, input)}</output>
                {first === undefined || first.ignored.length === 0 ? null : (
                  <ul className="muted not-searched" aria-label="Not searched">
                    {[...toLines(first.ignored)].map(([line, { term: part, reason }]) => (
                      <li key={line}>
                        Not searched: <strong dir="auto">{part}</strong> {reason}
                      </li>
                    ))}
                  </ul>
                )}
                {results.length === 0 ? (
                  <Empty icon="search" title="Nothing matches">
                    <p>Fewer words or no filters find more.</p>
                  </Empty>
                ) : (
                  <VirtualRows
                    items={results}
                    estimate={150}
                    keyOf={keyOf}
                    render={(result) => {
                      const post =
                        result.kind === "post" ? posts.get(`${result.platform}/${result.id ?? ""}`) : undefined;
                      if (post === undefined) return <ResultCard result={result} />;
                      const author = post.author_id === null ? null : authors.get(`${post.platform}/${post.author_id}`);
                      return <PostCard post={post} author={author ?? null} note={noteOf(result)} />;
                    }}
                    label="Results"
                    pager={query}
                  />
                )}
              </section>
            </>
          )}
        </Loaded>
      </div>
    </Page>
  );
}

function describe(first: Search | undefined, { q }: { q: string }): ReactNode {
  if (first === undefined) return null;
  if (first.matched === "some") return "No record has all words; these have some of them";
  const count = `${first.facets_complete ? "" : "At least "}${formatNumberOf(first.facets_counted, "match", "matches")}`;
  if (first.corrected === null) return count;
  return (
    <>
      {count} for <strong dir="auto">{first.corrected}</strong>; nothing matches “<span dir="auto">{q}</span>” as typed
    </>
  );
}

const noteOf = ({ matched }: Result): string | undefined => (matched === "some" ? "some words" : undefined);

function keyOf({ platform, kind, id, post_id: post, start_s: start }: Result, index: number): string {
  return `${platform}/${kind}/${id ?? ""}/${post ?? ""}/${start ?? ""}/${index}`;
}

function ResultCard({ result }: { result: Result }) {
  const { platform, kind, title, name, text, counters } = result;
  const isPerson = kind === "account";
  return (
    <article className="card small-card" data-platform={platform}>
      {isPerson ? (
        <Avatar name={title ?? name} platform={platform} />
      ) : (
        <span className="kind-icon" data-platform={platform}>
          <Icon name={KIND_ICONS[kind]} />
        </span>
      )}
      <div className="card-body">
        <p className="card-meta">
          <PlatformTag platform={platform} />
          <span>{SINGULAR[kind] ?? kind}</span>
          {result.published_at === null ? null : <PublishedAge of={result} />}
          {result.start_s === null ? null : <span>at {formatDuration(result.start_s)}</span>}
          {result.matched === "some" ? <span>{noteOf(result)}</span> : null}
        </p>
        <h3>
          <Link {...targetOf(result)}>
            <Words className="clamp-2">{kind === "hashtag" ? `#${name ?? ""}` : (title ?? name ?? text)}</Words>
          </Link>
          {isPerson && name !== null ? <small dir="auto"> @{name}</small> : null}
        </h3>
        {title !== null && text !== null && text !== "" ? (
          <p className="clamp-2 muted" dir="auto">
            {text}
          </p>
        ) : null}
        <Counters items={toItems(COUNTED[kind] ?? [], counters)} />
      </div>
    </article>
  );
}

const SINGULAR: Record<string, string> = {
  account: "Account",
  hashtag: "Hashtag",
  sound: "Sound",
  place: "Place",
  comment: "Comment",
  subtitle: "Spoken",
};

const COUNTED: Record<string, ("followers" | "posts" | "views" | "likes" | "replies")[]> = {
  account: ["followers", "posts"],
  hashtag: ["posts", "views"],
  sound: ["posts"],
  place: ["posts"],
  comment: ["likes", "replies"],
};

const WIDE = matchMedia("(min-width: 1000px)");

function onWidth(onChange: () => void): () => void {
  WIDE.addEventListener("change", onChange);
  return () => WIDE.removeEventListener("change", onChange);
}

function Facets({
  response: { facets, facets_complete: isComplete },
  input,
}: {
  response: Search;
  input: { q: string; platform?: string; kind?: Kind };
}) {
  const { q } = input;
  // On a wide screen nothing opens them.
  const isWide = useSyncExternalStore(onWidth, () => WIDE.matches);
  const term = (word: string) => ({ ...input, q: hasTerm(q, word) ? removeTerm(q, word) : addTerm(q, word) });
  return (
    <details className="facets" open={isWide}>
      <summary>Filters</summary>
      <FacetList
        title="Platform"
        values={facets.platform}
        labelOf={platformLabel}
        isChosen={(value) => value === input.platform}
        searchOf={(value) => ({ ...input, platform: input.platform === value ? undefined : value })}
      />
      <FacetList
        title="Kind"
        values={facets.kind}
        labelOf={(value) => KIND_LABELS[value] ?? value}
        isChosen={(value) => value === input.kind}
        searchOf={(value) => ({ ...input, kind: input.kind === value ? undefined : value })}
      />
      <FacetList
        title="Language"
        values={facets.language}
        labelOf={languageName}
        isChosen={(code) => hasTerm(q, `lang:${code}`)}
        searchOf={(code) => term(`lang:${code}`)}
      />
      <FacetList
        title="Hashtag"
        values={facets.hashtag}
        labelOf={(tag) => `#${tag}`}
        isChosen={(tag) => hasTerm(q, `#${tag}`)}
        searchOf={(tag) => term(`#${tag}`)}
      />
      <FacetList
        title="Month"
        values={facets.month}
        labelOf={(month) => month}
        isChosen={(month) => hasTerm(q, `since:${month}`)}
        searchOf={(month) => ({ ...input, q: monthQuery(q, month) })}
      />
      {isComplete ? null : <p className="muted">Only exact numbers are shown.</p>}
    </details>
  );
}

/** From the first moment of the month to the first of the next. */
function monthQuery(q: string, month: string): string {
  const next = new Date(`${month}-01T00:00:00Z`);
  next.setUTCMonth(next.getUTCMonth() + 1);
  const [since, until] = [`since:${month}`, `until:${next.toISOString().slice(0, 7)}`];
  if (hasTerm(q, since)) return removeTerm(removeTerm(q, since), until);
  return addTerm(addTerm(removeTerm(removeTerm(q, /^since:\S+$/), /^until:\S+$/), until), since);
}

interface FacetListProps {
  title: string;
  values: readonly { value: string; count?: number }[];
  labelOf: (value: string) => string;
  isChosen: (value: string) => boolean;
  searchOf: (value: string) => { q?: string; platform?: string | undefined; kind?: string | undefined };
}

const SHOWN = 6;

declare module "@tanstack/react-router" {
  interface HistoryState {
    facet?: string;
  }
}

function focusIfLost(element: HTMLElement | null): void {
  if (document.activeElement === document.body) element?.focus({ preventScroll: true });
}

function FacetList({ title, values, labelOf, isChosen, searchOf }: FacetListProps) {
  // All results are others then: the focus comes back to the facet that was chosen.
  const chosenLast = useRouterState({ select: ({ location }) => location.state.facet });
  if (values.length === 0) return null;
  return (
    <section>
      <h2>{title}</h2>
      <ul>
        {values.slice(0, SHOWN).map(({ value, count }) => (
          <li key={value}>
            <Link
              to="/explore"
              search={searchOf(value)}
              state={{ facet: `${title}/${value}` }}
              ref={chosenLast === `${title}/${value}` ? focusIfLost : undefined}
              activeOptions={OWN_CURRENT}
              aria-current={isChosen(value) ? "true" : undefined}
            >
              <span dir="auto" className="one-line">
                {labelOf(value)}
              </span>
              {count === undefined ? null : <small>{formatExact(count)}</small>}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
