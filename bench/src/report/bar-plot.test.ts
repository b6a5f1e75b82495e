import { expect, it } from 'vitest';
import { type BarPlot, barPlotSvg } from './bar-plot.ts';

const plot: BarPlot = {
  name: 'latency',
  title: 'a < b & c',
  unit: 'ms',
  series: ['ours', 'bare'],
  groups: [
    { label: 'P50', values: [2, 4] },
    { label: 'P99', values: [1, Number.NaN] },
  ],
};

it('draws one bar per value, the longest across the whole width', () => {
  const svg = barPlotSvg(plot);
  const widths = [...svg.matchAll(/width="([\d.]+)" height="12"/g)].map(([, width]) => Number(width));
  expect(widths).toEqual([210, 420, 105, 1]);
});

it('escapes labels and prints every number', () => {
  const svg = barPlotSvg(plot);
  expect(svg).toContain('a &lt; b &amp; c (ms)');
  expect(svg).toContain('>4.00<');
  expect(svg).toContain('>–<');
});
