/** A number with three significant digits and thousands separators. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (value === 0) return '0';
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  const rounded = value.toFixed(Math.min(digits, 4));
  const [whole = '', part] = rounded.split('.');
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',');
  return part === undefined ? grouped : `${grouped}.${part}`;
}

export const percent = (part: number): string => (Number.isFinite(part) ? `± ${Math.round(part * 100)} %` : '');
