/** A small series without axes, beside its numbers. */
export function Sparkline({ values, label }: { values: readonly number[]; label: string }) {
  if (values.length < 2) return null;
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const span = high - low || 1;
  const points = values.map((value, index) => {
    const x = (index / (values.length - 1)) * 96 + 2;
    return `${x.toFixed(1)},${(26 - ((value - low) / span) * 22).toFixed(1)}`;
  });
  return (
    <svg className="sparkline" viewBox="0 0 100 28" role="img" aria-label={label} preserveAspectRatio="none">
      <polyline points={points.join(" ")} />
    </svg>
  );
}
