import type { KeyboardEvent, PointerEvent, ReactNode } from 'react';
import './resizer.css';

type ResizerProps = {
  readonly label: string;
  readonly className: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly step?: number;
  /** The orientation of the edge; a horizontal one is moved up and down. */
  readonly orientation?: 'vertical' | 'horizontal';
  /** Converts a position to a value; by default the pixels from the left, or from the top. */
  readonly toValue?: (place: number) => number;
  readonly onChange: (value: number) => void;
};

/** The edge between two parts of the page: drag it, or move it with the arrow keys. */
export function Resizer(props: ResizerProps): ReactNode {
  const { label, className, value, min, max, step = 16, toValue = (x) => x, onChange } = props;
  const { orientation = 'vertical' } = props;
  const isFlat = orientation === 'horizontal';
  const onPointerDown = (event: PointerEvent<HTMLDivElement>): void => {
    if (event.button !== 0) return;
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>): void => {
    if (event.currentTarget.hasPointerCapture(event.pointerId))
      onChange(toValue(isFlat ? event.clientY : event.clientX));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const [less, more] = isFlat ? ['ArrowDown', 'ArrowUp'] : ['ArrowLeft', 'ArrowRight'];
    const next = { [less]: value - step, [more]: value + step, Home: min, End: max }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    onChange(next);
  };
  return (
    <div
      className={`resizer ${className}`}
      role="separator"
      aria-orientation={orientation}
      aria-label={label}
      aria-valuenow={value}
      aria-valuemin={min}
      aria-valuemax={max}
      tabIndex={0}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onKeyDown={onKeyDown}
    />
  );
}
