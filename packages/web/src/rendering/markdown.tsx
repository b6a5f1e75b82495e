import { isValidElement, memo, useMemo, type ComponentProps, type ReactNode } from 'react';
import { parseMarkdownIntoBlocks, Streamdown, type Components } from 'streamdown';
import { CodeBlock } from './code-block.tsx';
import { safeLink } from './safe-link.ts';
import './markdown.css';

function Anchor({ href, children }: ComponentProps<'a'>): ReactNode {
  const target = safeLink(href);
  if (target === null) return <span title={href}>{children}</span>;
  return (
    <a href={target} title={target} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}

/** No picture is ever fetched: an address chosen by an agent could carry data out. The person may follow it. */
function Picture({ src, alt }: ComponentProps<'img'>): ReactNode {
  const target = typeof src === 'string' ? safeLink(src) : null;
  const words = `Image: ${alt === undefined || alt === '' ? 'no description' : alt}`;
  return <span className="markdown-image">{target === null ? words : <Anchor href={target}>{words}</Anchor>}</span>;
}

function Pre({ children }: ComponentProps<'pre'>): ReactNode {
  if (!isValidElement<{ className?: string; children?: ReactNode }>(children)) return <pre>{children}</pre>;
  const { className = '', children: code } = children.props;
  const language = /language-(\S+)/.exec(className)?.[1] ?? '';
  return <CodeBlock code={textOf(code).replace(/\n$/, '')} language={language} />;
}

const textOf = (node: ReactNode): string =>
  Array.isArray(node)
    ? node.map(textOf).join('')
    : typeof node === 'string' || typeof node === 'number'
      ? String(node)
      : '';

function Table({ children }: ComponentProps<'table'>): ReactNode {
  return (
    // A wide table scrolls by itself, so it has to be reachable by keyboard.
    <div className="markdown-table" tabIndex={0} role="group" aria-label="Table">
      <table>{children}</table>
    </div>
  );
}

const plainTags = [
  'blockquote',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'hr',
  'li',
  'ol',
  'p',
  'section',
  'strong',
  'sub',
  'sup',
  'tbody',
  'td',
  'th',
  'thead',
  'tr',
  'ul',
  'code',
] as const;

/** Our own elements for everything: the library's styles, menus and download buttons are not wanted. */
const components: Components = {
  ...(Object.fromEntries(plainTags.map((tag) => [tag, tag])) as Components),
  a: Anchor as never,
  img: Picture as never,
  pre: Pre as never,
  table: Table as never,
};

// Raw HTML is shown as text: with no plugin that parses it, it never becomes an element.
const noPlugins: [] = [];
const asOneBlock = (text: string): string[] => [text];

/**
 * A settled block is never drawn again. Only the last one of a growing text is mended where its markup is not closed
 * yet, which over the whole text would cost milliseconds per token.
 */
const Block = memo(({ text, growing }: { readonly text: string; readonly growing: boolean }) => (
  <Streamdown
    className="markdown-block"
    components={components}
    rehypePlugins={noPlugins}
    parseMarkdownIntoBlocksFn={asOneBlock}
    parseIncompleteMarkdown={growing}
    isAnimating={growing}
    controls={false}
    dir="auto"
  >
    {text}
  </Streamdown>
));

/** Agent text as markdown: untrusted, so no HTML, no foreign request, and links that show where they go. */
export function Markdown({ text, growing = false }: { readonly text: string; readonly growing?: boolean }): ReactNode {
  const blocks = useMemo(() => parseMarkdownIntoBlocks(text), [text]);
  return (
    <div className="markdown">
      {blocks.map((block, index) => (
        <Block key={index} text={block} growing={growing && index === blocks.length - 1} />
      ))}
    </div>
  );
}
