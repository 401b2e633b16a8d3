/** One search over all platforms, with suggestions while typing. `/` comes here from anywhere; arrows choose, Escape leaves. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useRouterState } from "@tanstack/react-router";
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useRef, useState } from "react";
import { api, type Search } from "../api/client.ts";
import { Icon, type IconName } from "../ui/icons.tsx";
import { useDebounced } from "../ui/use-debounced.ts";
import { PlatformTag } from "../ui/values.tsx";

type Result = Search["results"][number];

export const KIND_ICONS: Record<Result["kind"], IconName> = {
  post: "film",
  account: "person",
  hashtag: "hash",
  sound: "sound",
  place: "place",
  comment: "comment",
  subtitle: "quote",
};
const SUGGESTIONS = 8;
const TYPING_MS = 120;

export function SearchBox() {
  const navigate = useNavigate();
  const inAddress = useRouterState({
    select: ({ location }) => (location.pathname === "/explore" ? ((location.search as { q?: string }).q ?? "") : ""),
  });
  const [text, setText] = useState(inAddress);
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState(-1);
  const input = useRef<HTMLInputElement>(null);
  const list = useId();
  const [searched, setSearched] = useState(inAddress);
  if (searched !== inAddress) {
    setSearched(inAddress);
    setText(inAddress);
  }
  useSlashKey(() => {
    input.current?.focus();
    input.current?.select();
  });

  const typed = useDebounced(useDeferredValue(text.trim()), TYPING_MS);
  const { data } = useQuery({
    queryKey: ["suggestions", typed],
    enabled: isOpen && typed.length >= 2 && typed !== inAddress,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => api.search({ q: typed, limit: SUGGESTIONS }, { signal }),
  });
  const results = isOpen && text.trim().length >= 2 ? (data?.results ?? []) : [];

  const close = () => {
    setOpen(false);
    setChosen(-1);
  };
  const search = () => {
    close();
    input.current?.blur();
    if (text.trim() !== "") void navigate({ to: "/explore", search: { q: text.trim() } });
  };
  const open = (result: Result) => {
    close();
    input.current?.blur();
    void navigate(targetOf(result));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const step = event.key === "ArrowDown" ? 1 : -1;
      setOpen(true);
      // One more place than suggestions: the text as typed.
      setChosen((now) => ((now + 1 + step + results.length + 1) % (results.length + 1)) - 1);
    } else if (event.key === "Escape") {
      // The browser would clear the field.
      event.preventDefault();
      if (results.length > 0) close();
      else input.current?.blur();
    } else if (event.key === "Enter") {
      const result = results[chosen];
      if (result === undefined) search();
      else open(result);
    }
  };

  return (
    <div className="search-box">
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        role="combobox"
        placeholder="Search everything"
        aria-label="Search all platforms"
        aria-expanded={results.length > 0}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={chosen >= 0 ? `${list}-${chosen}` : undefined}
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
        dir="auto"
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          setOpen(true);
          setChosen(-1);
        }}
        onFocus={() => setOpen(true)}
        onBlur={close}
        onKeyDown={onKeyDown}
      />
      <kbd aria-hidden="true">/</kbd>
      {/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a datalist has text only: no icon, no platform */}
      <ul id={list} role="listbox" aria-label="Suggestions" hidden={results.length === 0}>
        {results.map((result, index) => (
          <li
            key={`${result.platform}/${result.kind}/${result.id ?? result.post_id ?? ""}/${result.start_s ?? ""}`}
            id={`${list}-${index}`}
            role="option"
            aria-selected={index === chosen}
            onPointerDown={(event) => {
              event.preventDefault();
              open(result);
            }}
          >
            <Icon name={KIND_ICONS[result.kind]} />
            <span dir="auto" className="one-line">
              {labelOf(result)}
            </span>
            <PlatformTag platform={result.platform} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function labelOf({ kind, name, title, text }: Result): string {
  if (kind === "account") return [title, name === null ? null : `@${name}`].filter((part) => part !== null).join("  ");
  if (kind === "hashtag") return `#${name ?? ""}`;
  return title ?? text ?? name ?? "";
}

/** The page of a result. */
export function targetOf(result: Result) {
  const { platform, kind } = result;
  const id = result.id ?? "";
  switch (kind) {
    case "account":
      return { to: "/explore/$platform/account/$id", params: { platform, id: result.name ?? id } } as const;
    case "hashtag":
      return { to: "/explore/$platform/hashtag/$name", params: { platform, name: result.name ?? id } } as const;
    case "sound":
      return { to: "/explore/$platform/sound/$id", params: { platform, id } } as const;
    case "place":
      return { to: "/explore/$platform/place/$id", params: { platform, id } } as const;
    case "comment":
      return {
        to: "/explore/$platform/post/$id",
        params: { platform, id: result.post_id ?? "" },
        search: { comment: id },
      } as const;
    case "subtitle":
      return {
        to: "/explore/$platform/post/$id",
        params: { platform, id: result.post_id ?? "" },
        search: { tab: "subtitles", t: String(result.start_s ?? 0), lang: result.language ?? undefined },
      } as const;
    case "post":
      return { to: "/explore/$platform/post/$id", params: { platform, id } } as const;
  }
}

function useSlashKey(focus: () => void): void {
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      const { target, key, ctrlKey, metaKey, altKey } = event;
      const isTyping = target instanceof HTMLElement && target.matches("input, textarea, select, [contenteditable]");
      if (key !== "/" || isTyping || ctrlKey || metaKey || altKey) return;
      event.preventDefault();
      focus();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  });
}
