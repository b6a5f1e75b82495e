import createPurifier from 'dompurify';

const purifier = createPurifier(window);

/** No links, images or forms, nothing that refers to another place: a formula is characters and lines. */
const formulaProfile = {
  USE_PROFILES: { html: true, svg: true, mathMl: true },
  FORBID_TAGS: ['a', 'img', 'image', 'style', 'form', 'input', 'button', 'textarea', 'select', 'video', 'audio'],
  FORBID_ATTR: ['href', 'xlink:href', 'src', 'srcset', 'id', 'name', 'title', 'action'],
  RETURN_DOM_FRAGMENT: true as const,
};

const diagramProfile = {
  USE_PROFILES: { svg: true, svgFilters: true },
  ADD_ATTR: ['dominant-baseline', 'alignment-baseline', 'text-anchor'],
  FORBID_TAGS: ['a', 'image', 'foreignobject', 'script'],
  FORBID_ATTR: ['href', 'xlink:href'],
  RETURN_DOM_FRAGMENT: true as const,
};

export const cleanFormula = (html: string): DocumentFragment => purifier.sanitize(html, formulaProfile);

/** The sanitised drawing, or null if nothing of it may stay. */
export const cleanDiagram = (svg: string): SVGElement | null => {
  const found = purifier.sanitize(svg, diagramProfile).querySelector('svg');
  return found instanceof SVGElement ? found : null;
};
