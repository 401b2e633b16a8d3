interface SparklineProps {
  points: readonly { time: number; value: number }[];
  label: string;
}

/** A small series without axes, beside its numbers. One point is no line. */
export function Sparkline({ points, label }: SparklineProps) {
  const [first, last] = [points.at(0), points.at(-1)];
  if (first === undefined || last === undefined || first === last) return null;
  const highest = Math.max(1, ...points.map(({ value }) => value));
  const line = points.map(({ time, value }) => {
    const x = ((time - first.time) / (last.time - first.time)) * 96 + 2;
    return `${x.toFixed(1)},${(26 - (value / highest) * 22).toFixed(1)}`;
  });
  return (
    <>
      <svg className="sparkline" viewBox="0 0 100 28" aria-hidden="true" preserveAspectRatio="none">
        <polyline points={line.join(" ")} />
      </svg>
      <span className="visually-hidden">{label}</span>
    </>
  );
}
