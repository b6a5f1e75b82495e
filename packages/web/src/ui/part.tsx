import { lazy, useState, type ComponentType, type ReactNode } from 'react';

/** A component whose code arrives separately: at its first use, or earlier through `load`. */
export type Part<Props> = ((props: Props) => ReactNode) & { readonly load: () => Promise<unknown> };

/**
 * A part that has arrived appears at once. `lazy` alone would show the fallback first, and React keeps a fallback for
 * 300 ms: too long for a user who is already typing.
 */
export function createPart<Props extends object>(
  fetchPart: () => Promise<{ readonly default: ComponentType<Props> }>,
): Part<Props> {
  let arrived: ComponentType<Props> | null = null;
  const load = async () => {
    const part = await fetchPart();
    arrived = part.default;
    return part;
  };
  const Awaited: ComponentType<Props> = lazy(load);
  const Shown = (props: Props): ReactNode => {
    // Chosen once: what is shown must not be replaced, and lose its state, when the code arrives by another way.
    const [Content] = useState(() => arrived ?? Awaited);
    return <Content {...props} />;
  };
  return Object.assign(Shown, { load });
}
