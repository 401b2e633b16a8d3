/** One choice of several, with its label. */

interface SelectProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly (readonly [value: Value, label: string])[];
  onChange: (value: Value) => void;
}

export function Select<Value extends string>({ label, value, options, onChange }: SelectProps<Value>) {
  const choose = (index: number) => {
    const chosen = options[index];
    if (chosen !== undefined) onChange(chosen[0]);
  };
  return (
    <label>
      <span>{label}</span>
      <select value={value} onChange={({ target }) => choose(target.selectedIndex)}>
        {options.map(([key, text]) => (
          <option key={key} value={key}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
