/** What is spoken: a track per language, searched as you type, with times that can be linked to. */
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useDeferredValue, useMemo, useState } from "react";
import type { Subtitles } from "../api/client.ts";
import { subtitlesQuery } from "../api/queries.ts";
import { formatDuration, formatNumberOf, languageName } from "../ui/format.ts";
import { Empty, Loaded } from "../ui/states.tsx";
import { OWN_CURRENT } from "../ui/tabs.tsx";
import { VirtualRows } from "../ui/virtual-rows.tsx";

const route = getRouteApi("/explore/$platform/post/$id");

export function SubtitleLines({ platform, id }: { platform: string; id: string }) {
  const { lang } = route.useSearch();
  const query = useQuery({
    ...subtitlesQuery({ platform, id, lang }),
    // The lines stay while those of another language come.
    placeholderData: (previous, before) =>
      before?.queryKey[1] === platform && before.queryKey[2] === id ? previous : undefined,
  });
  return (
    <Loaded query={query} rows={6}>
      {(subtitles) =>
        subtitles.tracks.length === 0 ? (
          <Empty icon="quote" title="No subtitles are stored" />
        ) : (
          <Track subtitles={subtitles} />
        )
      }
    </Loaded>
  );
}

function Track({ subtitles: { tracks, language, lines } }: { subtitles: Subtitles }) {
  const { t, find = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const [text, setText] = useState(find);
  const wanted = useDeferredValue(text.trim().toLowerCase());
  const shown = useMemo(
    () => (wanted === "" ? lines : lines.filter((line) => line.text.toLowerCase().includes(wanted))),
    [lines, wanted],
  );
  const at = t === undefined ? undefined : Number(t);
  const current = at === undefined ? undefined : shown.findLastIndex(({ start_s: start }) => start <= at + 0.001);
  return (
    <>
      <div className="toolbar">
        <label>
          <span>Find in the words</span>
          <input
            type="search"
            value={text}
            dir="auto"
            onChange={({ target }) => setText(target.value)}
            onBlur={() =>
              void navigate({
                search: (now) => ({ ...now, find: text === "" ? undefined : text }),
                replace: true,
                resetScroll: false,
              })
            }
          />
        </label>
        <nav aria-label="Language" className="chips">
          {tracks.map((track) => (
            <Link
              key={`${track.language}/${track.automatic}`}
              to="."
              search={(now) => ({ ...now, lang: track.language })}
              replace
              resetScroll={false}
              className="chip"
              activeOptions={OWN_CURRENT}
              aria-current={track.language === language ? "true" : undefined}
            >
              {languageName(track.language)}
              {track.automatic ? " (automatic)" : ""}
            </Link>
          ))}
        </nav>
        <output className="muted">{formatNumberOf(shown.length, "line")}</output>
      </div>
      <VirtualRows
        items={shown}
        estimate={34}
        keyOf={(_line, index) => String(index)}
        label="Lines"
        scrollTo={current}
        render={({ start_s: start, text: words }, index) => (
          <p className="spoken" aria-current={index === current ? "true" : undefined}>
            <Link
              to="."
              search={(now) => ({ ...now, t: String(start) })}
              replace
              resetScroll={false}
              onClick={() => seek(start)}
            >
              {formatDuration(start)}
            </Link>
            <span dir="auto">{words}</span>
          </p>
        )}
      />
    </>
  );
}

/** If the video is shown. */
function seek(seconds: number): void {
  const video = document.getElementById("post-video");
  if (video instanceof HTMLVideoElement) video.currentTime = seconds;
}
