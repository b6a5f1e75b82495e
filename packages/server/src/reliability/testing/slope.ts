export type Sample = { readonly minute: number; readonly value: number };
export type Slope = {
  /** Per minute. */
  readonly slope: number;
  /** The standard error of the slope, due to noise. */
  readonly error: number;
};

/** The line through samples by least squares. */
export function slopeOf(samples: readonly Sample[]): Slope {
  const count = samples.length;
  if (count < 3) throw new Error(`${count} samples have no slope.`);
  const mean = (pick: (sample: Sample) => number) => samples.reduce((sum, sample) => sum + pick(sample), 0) / count;
  const [time, value] = [mean(({ minute }) => minute), mean((sample) => sample.value)];
  const spread = samples.reduce((sum, { minute }) => sum + (minute - time) ** 2, 0);
  const slope = samples.reduce((sum, sample) => sum + (sample.minute - time) * (sample.value - value), 0) / spread;
  const rest = samples.reduce((sum, sample) => sum + (sample.value - value - slope * (sample.minute - time)) ** 2, 0);
  return { slope, error: Math.sqrt(rest / (count - 2) / spread) };
}

/** Whether growth exceeds both the noise and `allowed` over these minutes. */
export function isGrowing({ slope, error }: Slope, minutes: number, allowed: number): boolean {
  return slope > 3 * error && slope * minutes > allowed;
}
