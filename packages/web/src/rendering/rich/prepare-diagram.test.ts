import { describe, expect, it } from 'vitest';
import { prepareDiagram } from './prepare-diagram.ts';

describe('a prepared diagram', () => {
  it('is unchanged if nothing in it is active', () => {
    for (const source of ['graph TD; A-->B', 'classDiagram\nA <|-- B\n<<interface>> A', 'graph LR\nA["one<br/>two"]'])
      expect(prepareDiagram(source)).toBe(source);
  });

  it('loses its configuration, but keeps its title', () => {
    expect(prepareDiagram('%%{init: {"securityLevel": "loose"}}%%\ngraph TD; A')).toBe('\ngraph TD; A');
    expect(prepareDiagram('%%{\n  init: {}\n}%%graph TD; A')).toBe('graph TD; A');
    expect(prepareDiagram('---\ntitle: Flow\nconfig:\n  securityLevel: loose\n---\ngraph TD; A')).toBe(
      '---\ntitle: "Flow"\n---\ngraph TD; A',
    );
  });

  it('has no tags and no formulas', () => {
    expect(prepareDiagram('graph TD; A["<img src=x onerror=y>"]')).toBe('graph TD; A["#lt;img src=x onerror=y>"]');
    expect(prepareDiagram('graph TD; A["$$x$$"]')).toBe('graph TD; A["$x$"]');
  });

  it('has no menus in a sequence, but keeps messages that mention links', () => {
    expect(prepareDiagram('sequenceDiagram\nparticipant A; link A: Go @ https://x.example\nA->>B: links: all')).toBe(
      'sequenceDiagram\nparticipant A;\nA->>B: links: all',
    );
    expect(prepareDiagram('sequenceDiagram\nparticipant A\n  links A: {"Go": "https://x.example"}\nA->>B: hi')).toBe(
      'sequenceDiagram\nparticipant A\n\nA->>B: hi',
    );
    const flow = 'graph TD\nlinks --> details';
    expect(prepareDiagram(flow)).toBe(flow);
  });

  it.each([
    'graph TD; style A fill:url(https://evil.example)',
    'graph TD; A@{ img: "https://evil.example/x.png" }',
    'graph TD; click A href "javascript:alert(1)"',
    `graph TD; ${'A-->B; '.repeat(3000)}`,
  ])('is not drawn if it would load or run something, or is too long: %#', (source) =>
    expect(prepareDiagram(source)).toBeNull(),
  );
});
