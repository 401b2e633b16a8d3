/** Lines over time, drawn by uPlot. The same numbers are in a table for who cannot see the drawing. */
import "uplot/dist/uPlot.min.css";
import { useEffect, useRef } from "react";
import type uPlot from "uplot";
import { formatCount, formatExact, formatTimes } from "./format.ts";
import { Table } from "./table.tsx";

export interface Series {
  label: string;
  /** One per time; null is unknown, and leaves a gap that the line bridges. */
  values: readonly (number | null)[];
  /** Drawn in its colour. */
  platform?: string;
}

interface LineChartProps {
  title: string;
  /** Unix seconds, in order. */
  times: readonly number[];
  series: readonly Series[];
  height?: number;
  /** Rank 1 is at the top. */
  isRank?: boolean;
}

const COLOURS = ["--series-1", "--series-2", "--series-3", "--series-4", "--series-5", "--series-6"];
const DAY_S = 86_400;
/** Captures are usually days apart: no times of day. */
const DAY_STEPS = [1, 2, 7, 14, 30, 60, 90, 180, 365].map((days) => days * DAY_S);
/** Of those within a few days. */
const HOUR_STEPS = [1, 5, 15, 60, 120, 180, 360, 720].map((minutes) => minutes * 60);
const HOURS_WITHIN_S = 3 * DAY_S;
const shortDay = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const shortTime = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });
const DARK = "(prefers-color-scheme: dark)";

export function LineChart({ title, times, series, height = 220, isRank = false }: LineChartProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    let plot: uPlot | null = null;
    let hasEnded = false;
    const draw = async () => {
      const Plot = await loadPlot();
      if (Plot === null || hasEnded) return;
      plot?.destroy();
      plot = createPlot(Plot, element, { times, series, height, isRank });
    };
    void draw();
    const sizes = new ResizeObserver(() => plot?.setSize({ width: element.clientWidth, height }));
    sizes.observe(element);
    const scheme = matchMedia(DARK);
    const redraw = () => void draw();
    scheme.addEventListener("change", redraw);
    return () => {
      hasEnded = true;
      sizes.disconnect();
      scheme.removeEventListener("change", redraw);
      plot?.destroy();
    };
  }, [times, series, height, isRank]);

  const shown = formatTimes(times);
  return (
    <figure className="chart">
      <figcaption>
        <span>{title}</span>
        <ul className="legend">
          {series.map(({ label, values, platform }, index) => (
            <li key={label} data-series={platform === undefined ? index + 1 : undefined} data-platform={platform}>
              {label} <strong>{formatExact(values.findLast((value) => value !== null))}</strong>
            </li>
          ))}
        </ul>
      </figcaption>
      <div ref={box} className="plot" aria-hidden="true" />
      <details className="chart-table">
        <summary>As a table</summary>
        <Table label={`${title} as a table`} columns={["When", ...series.map(({ label }) => label)]}>
          {times.map((time, index) => (
            <tr key={time}>
              <th scope="row">{shown[index]}</th>
              {series.map(({ label, values }) => (
                <td key={label}>{formatExact(values[index])}</td>
              ))}
            </tr>
          ))}
        </Table>
      </details>
    </figure>
  );
}

/** Null where it cannot be loaded, as in a browser whose language is no language tag: the table is still there. */
function loadPlot(): Promise<typeof uPlot | null> {
  return import("uplot").then(
    ({ default: Plot }) => Plot,
    () => null,
  );
}

function createPlot(
  Plot: typeof uPlot,
  element: HTMLElement,
  { times, series, height, isRank }: Required<Omit<LineChartProps, "title">>,
): uPlot {
  const colour = (name: string) => resolveColour(element, name);
  const axis = { stroke: colour("--muted"), grid: { stroke: colour("--line"), width: 1 }, ticks: { show: false } };
  const isWithinHours = times.length > 1 && (times.at(-1) ?? 0) - (times[0] ?? 0) < HOURS_WITHIN_S && !isRank;
  const options: uPlot.Options = {
    width: element.clientWidth,
    height,
    legend: { show: false },
    cursor: { y: false, points: { size: 7 } },
    scales: {
      x: { time: true },
      y: isRank ? { dir: -1, range: (_plot, low, high) => [Math.min(1, low), high + 1] } : {},
    },
    axes: [
      {
        ...axis,
        size: 28,
        space: 64,
        incrs: isWithinHours ? [...HOUR_STEPS, ...DAY_STEPS] : DAY_STEPS,
        grid: { show: false },
        values: (_plot, splits, _axis, _space, step) =>
          splits.map((split) => (step < DAY_S ? shortTime : shortDay).format(split * 1000)),
      },
      {
        ...axis,
        size: 52,
        ...(isRank ? { incrs: [1, 2, 5, 10, 25, 50] } : {}),
        values: (_plot, splits) => splits.map((split) => formatCount(split)),
      },
    ],
    series: [
      {},
      ...series.map(({ label, platform }, index) => {
        const stroke = colour(platform === undefined ? (COLOURS[index % COLOURS.length] ?? "") : `--${platform}`);
        return {
          label,
          stroke,
          width: 1.75,
          spanGaps: true,
          points: { show: times.length < 40, size: 5, fill: stroke },
        };
      }),
    ],
    hooks: { setCursor: [(plot) => showTip(plot, series, times)] },
  };
  return new Plot(options, [[...times], ...series.map(({ values }) => [...values])], element);
}

/** The values under the cursor, in words. */
function showTip(plot: uPlot, series: readonly Series[], times: readonly number[]): void {
  const { idx, left } = plot.cursor;
  let tip = plot.over.querySelector<HTMLElement>(".chart-tip");
  if (idx == null || left == null || left < 0) {
    tip?.remove();
    return;
  }
  if (tip === null) {
    tip = document.createElement("div");
    tip.className = "chart-tip";
    plot.over.append(tip);
  }
  const values = series.map(({ label, values: of }) => `${label} ${formatExact(of[idx])}`);
  tip.textContent = [formatTimes(times)[idx], ...values].join(" · ");
  tip.style.left = `${Math.max(0, Math.min(left, plot.over.clientWidth - tip.offsetWidth))}px`;
}

/** A canvas needs the colour itself, as the scheme of the moment resolves it. */
function resolveColour(element: HTMLElement, name: string): string {
  const probe = document.createElement("span");
  probe.style.color = `var(${name})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
