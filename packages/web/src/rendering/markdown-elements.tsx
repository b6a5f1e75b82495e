import { isValidElement, type ComponentProps, type ReactNode } from 'react';
import { CodeBlock } from './code/code-block.tsx';
import { Diagram } from './rich/diagram.tsx';
import { FootnoteMark } from './rich/footnote.tsx';
import { DisplayFormula, FormulaBlock, InlineFormula } from './rich/formula.tsx';
import { readMark } from './rich/inline-marks.ts';
import { ProjectImage } from './rich/project-image.tsx';
import { useEdgeFade } from './rich/use-edge-fade.ts';
import { PathLink } from './path-link.tsx';
import { hostToShow, safeLink } from './safe-link.ts';
import { showHidden } from '@liminal/domain/text/visible-text';

const textOf = (node: ReactNode): string =>
  Array.isArray(node)
    ? node.map(textOf).join('')
    : typeof node === 'string' || typeof node === 'number'
      ? String(node)
      : isValidElement<{ children?: ReactNode }>(node)
        ? textOf(node.props.children)
        : '';

/** A link shows where it leads: if its text doesn't contain the host, the host is added. */
export function Anchor({ href, children }: ComponentProps<'a'>): ReactNode {
  const target = safeLink(href);
  if (target === null)
    return (
      <PathLink text={href ?? ''}>
        <span title={showHidden(href ?? '')}>{children}</span>
      </PathLink>
    );
  const host = hostToShow(target, textOf(children));
  return (
    <>
      <a href={target} title={target} target="_blank" rel="noopener noreferrer">
        {children}
      </a>
      {host !== '' && <span className="markdown-target"> ({host})</span>}
    </>
  );
}

/** Neither a URL with a scheme nor one on another host. */
const isPath = (src: string): boolean => src !== '' && !/^(?:[a-z][a-z\d+.-]*:|[\\/]{2})/i.test(src.trim());

/**
 * Images never load by themselves: a URL chosen by an agent could leak data. The user may follow it, or open one that
 * is in the project.
 */
export function Picture({ src, alt }: ComponentProps<'img'>): ReactNode {
  const target = typeof src === 'string' ? safeLink(src) : null;
  if (typeof src === 'string' && isPath(src)) return <ProjectImage src={src} alt={alt ?? ''} />;
  const label = `Image: ${alt === undefined || alt === '' ? 'no description' : alt}`;
  return <span className="markdown-image">{target === null ? label : <Anchor href={target}>{label}</Anchor>}</span>;
}

export function Pre({ children }: ComponentProps<'pre'>): ReactNode {
  if (!isValidElement<{ className?: string; children?: ReactNode }>(children)) return <pre>{children}</pre>;
  const { className = '', children: code } = children.props;
  const language = /language-(\S+)/.exec(className)?.[1] ?? '';
  const source = textOf(code).replace(/\n$/, '');
  if (language === 'mermaid') return <Diagram source={source} />;
  if (language === 'math') return <FormulaBlock tex={source} />;
  return <CodeBlock code={source} language={language} />;
}

/** Inline code, or a mark that passed through the parser as code. */
export function InlineCode({ children, className }: ComponentProps<'code'>): ReactNode {
  const mark = readMark(textOf(children));
  switch (mark?.kind) {
    case undefined:
      return (
        <PathLink text={textOf(children)}>
          <code {...(className !== undefined && { className })}>{children}</code>
        </PathLink>
      );
    case 'formula':
      return <InlineFormula tex={mark.tex} />;
    case 'display':
      return <DisplayFormula tex={mark.tex} />;
    case 'note':
      return <FootnoteMark label={mark.label} />;
  }
}

/** A cell as short as this stays on one line, such as "12 ms". */
const shortCell = 24;
const cellClass = (children: ReactNode): string | undefined =>
  textOf(children).length <= shortCell ? 'cell-short' : undefined;
type Aligned = { readonly style?: ComponentProps<'td'>['style'] };

export const Cell = ({ children, style }: ComponentProps<'td'> & Aligned): ReactNode => (
  <td className={cellClass(children)} style={style}>
    {children}
  </td>
);
export const HeadCell = ({ children, style }: ComponentProps<'th'> & Aligned): ReactNode => (
  <th className={cellClass(children)} style={style}>
    {children}
  </th>
);
export function Table({ children }: ComponentProps<'table'>): ReactNode {
  const scroller = useEdgeFade<HTMLDivElement>();
  return (
    // A wide table scrolls by itself, so it has to be reachable by keyboard.
    <div ref={scroller} className="markdown-table edge-fade" tabIndex={0} role="group" aria-label="Table">
      <table>{children}</table>
    </div>
  );
}
