import mermaid, { type MermaidConfig } from 'mermaid';
import fontUrl from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url';
import type { DiagramColours } from './diagram-colours.ts';
import { cleanDiagram } from './sanitize.ts';

/** An image as a separate file, with its size. */
export type DrawnDiagram = { readonly svg: string; readonly width: number; readonly height: number };

const family = 'Inter Variable';
const xmlns = 'http://www.w3.org/2000/svg';
/** Set by the page only, never by a diagram. */
const secure = ['secure', 'securityLevel', 'startOnLoad', 'maxTextSize', 'maxEdges', 'suppressErrorRendering'];
const alsoSecure = [
  'htmlLabels',
  'dompurifyConfig',
  'themeCSS',
  'themeVariables',
  'theme',
  'fontFamily',
  'look',
  'layout',
];

/** Each type of diagram has its own defaults. */
const appearance = { theme: 'base', look: 'classic', layout: 'dagre' } as const;

const configOf = (colours: DiagramColours): MermaidConfig => ({
  startOnLoad: false,
  securityLevel: 'strict',
  secure: [...secure, ...alsoSecure],
  suppressErrorRendering: true,
  maxTextSize: 14_000,
  maxEdges: 250,
  // Labels are SVG text, never HTML.
  htmlLabels: false,
  dompurifyConfig: { ALLOWED_TAGS: ['br'], ALLOWED_ATTR: [] },
  fontFamily: `"${family}", sans-serif`,
  fontSize: 13,
  ...appearance,
  flowchart: appearance,
  class: appearance,
  state: appearance,
  er: appearance,
  requirement: appearance,
  themeVariables: {
    darkMode: colours.isDark,
    fontFamily: `"${family}", sans-serif`,
    fontSize: '13px',
    background: colours.background,
    primaryColor: colours.node,
    primaryTextColor: colours.text,
    primaryBorderColor: colours.edge,
    secondaryColor: colours.tint,
    tertiaryColor: colours.panel,
    lineColor: colours.line,
    textColor: colours.text,
    edgeLabelBackground: colours.background,
    noteBkgColor: colours.tint,
    noteTextColor: colours.text,
    noteBorderColor: colours.edge,
    pieOpacity: '1',
    pieStrokeColor: colours.background,
    pieOuterStrokeWidth: '0',
    pieTitleTextSize: '16px',
    pieSectionTextSize: '13px',
    pieLegendTextSize: '13px',
    ...Object.fromEntries(colours.slices.map((colour, index) => [`pie${index + 1}`, colour])),
  },
});

let count = 0;
let font: Promise<string> | undefined;

/** An image can't use the page's fonts, so it embeds its own. Otherwise labels wouldn't fit their measured size. */
async function fontFace(): Promise<string> {
  const bytes = new Uint8Array(await (await fetch(fontUrl)).arrayBuffer());
  let binary = '';
  for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return `@font-face{font-family:"${family}";font-weight:100 900;src:url(data:font/woff2;base64,${btoa(binary)})}`;
}

/**
 * Draws a prepared diagram. The library measures in an invisible element; the result is sanitised and then shown as an
 * image, in which nothing runs, loads or can be followed.
 */
export async function drawDiagram(source: string, colours: DiagramColours): Promise<DrawnDiagram> {
  const stage = document.body.appendChild(document.createElement('div'));
  stage.className = 'diagram-stage';
  stage.setAttribute('aria-hidden', 'true');
  stage.inert = true;
  try {
    mermaid.initialize(configOf(colours));
    const { svg } = await mermaid.render(`diagram-${(count += 1)}`, source, stage);
    const drawing = cleanDiagram(svg);
    if (drawing === null) throw new Error('Nothing was drawn.');
    return await asPicture(drawing);
  } finally {
    stage.remove();
  }
}

async function asPicture(drawing: SVGElement): Promise<DrawnDiagram> {
  const box = (drawing.getAttribute('viewBox') ?? '').split(/[\s,]+/).map(Number);
  const [width, height] = [Math.ceil(box[2] ?? 0), Math.ceil(box[3] ?? 0)];
  if (!(width > 0 && height > 0)) throw new Error('It has no size.');
  drawing.setAttribute('xmlns', xmlns);
  drawing.setAttribute('width', String(width));
  drawing.setAttribute('height', String(height));
  drawing.removeAttribute('style');
  const style = document.createElementNS(xmlns, 'style');
  style.textContent = await (font ??= fontFace());
  drawing.prepend(style);
  return { svg: new XMLSerializer().serializeToString(drawing), width, height };
}
