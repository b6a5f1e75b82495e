import { isValidElement, type ComponentProps, type ReactNode } from 'react';
import { CodeBlock } from './code-block.tsx';
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

/** A link says where it leads before one follows it: where its words do not name the place, the place joins them. */
export function Anchor({ href, children }: ComponentProps<'a'>): ReactNode {
  const target = safeLink(href);
  if (target === null) return <span title={showHidden(href ?? '')}>{children}</span>;
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

/** No picture is ever fetched: an address chosen by an agent could carry data out. The person may follow it. */
export function Picture({ src, alt }: ComponentProps<'img'>): ReactNode {
  const target = typeof src === 'string' ? safeLink(src) : null;
  const label = `Image: ${alt === undefined || alt === '' ? 'no description' : alt}`;
  return <span className="markdown-image">{target === null ? label : <Anchor href={target}>{label}</Anchor>}</span>;
}

export function Pre({ children }: ComponentProps<'pre'>): ReactNode {
  if (!isValidElement<{ className?: string; children?: ReactNode }>(children)) return <pre>{children}</pre>;
  const { className = '', children: code } = children.props;
  const language = /language-(\S+)/.exec(className)?.[1] ?? '';
  return <CodeBlock code={textOf(code).replace(/\n$/, '')} language={language} />;
}

export function Table({ children }: ComponentProps<'table'>): ReactNode {
  return (
    // A wide table scrolls by itself, so it has to be reachable by keyboard.
    <div className="markdown-table" tabIndex={0} role="group" aria-label="Table">
      <table>{children}</table>
    </div>
  );
}
