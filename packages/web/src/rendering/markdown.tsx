import { memo, useMemo, useRef, useState, type ReactNode } from 'react';
import { Block } from './markdown-block.tsx';
import { groupSize, guessHeight, sameBlocks } from './markdown-blocks.ts';
import { MarkdownReader } from './markdown-reader.ts';
import { useNear } from './use-near.ts';
import './markdown.css';

type GroupProps = { readonly blocks: readonly string[]; readonly growing: boolean; readonly isLong: boolean };

/** A group of blocks. Those of a long text are drawn when they come near, and skipped outside the visible area. */
const Group = memo(
  ({ blocks, growing, isLong }: GroupProps) => {
    const place = useRef<HTMLDivElement>(null);
    const height = isLong ? guessHeight(blocks.join('\n')) : 0;
    const isNear = useNear(place, isLong && !growing);
    return (
      <div
        ref={place}
        className={isLong && !growing ? 'markdown-group markdown-group-long' : 'markdown-group'}
        style={isNear ? { containIntrinsicBlockSize: `auto ${height}px` } : { blockSize: height }}
      >
        {isNear &&
          blocks.map((block, index) => (
            <Block key={index} text={block} growing={growing && index === blocks.length - 1} />
          ))}
      </div>
    );
  },
  (a, b) => a.growing === b.growing && a.isLong === b.isLong && sameBlocks(a.blocks, b.blocks),
);

/** Agent text as markdown. It is untrusted: no HTML, no external requests, and links that show their target. */
export function Markdown({ text, growing = false }: { readonly text: string; readonly growing?: boolean }): ReactNode {
  const [reader] = useState(() => new MarkdownReader());
  const groups = useMemo(() => reader.read(text, growing), [reader, text, growing]);
  const isLong = groups.length * groupSize > 64;
  return (
    <div className="markdown">
      {groups.map((blocks, index) => (
        <Group key={index} blocks={blocks} growing={growing && index === groups.length - 1} isLong={isLong} />
      ))}
    </div>
  );
}
