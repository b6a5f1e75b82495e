import type { Attachment } from '@liminal/contracts';
import { asOptionalRecord, asRecord, asText, type Loose } from '../../kit/read-json.ts';
import { type NativeBlock, readBlocks } from '../translate/native.ts';

/** One row of the agent's own record of a session, from its file or from the SDK's reader. */
export type RecordRow = Loose;

/** What a row of the record means. Only text the user really typed is theirs (decision 16). */
export type RowMeaning =
  | { readonly kind: 'prompt'; readonly text: string; readonly attachments: readonly Attachment[] }
  /** A turn nobody asked for: a task that ended, a scheduled wake-up, another session. */
  | { readonly kind: 'wake-up' }
  | { readonly kind: 'steered'; readonly text: string }
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'compacted' }
  /** Claude Code forgot everything before. */
  | { readonly kind: 'cleared' }
  /** An answer or a tool result: for the translator. */
  | { readonly kind: 'conversation' }
  | { readonly kind: 'nothing' };

const nothing: RowMeaning = { kind: 'nothing' };

export function meaningOf(row: RecordRow): RowMeaning {
  if (row['isSidechain'] === true && row['parent_tool_use_id'] === undefined) return nothing;
  switch (row['type']) {
    case 'assistant':
      return { kind: 'conversation' };
    case 'user':
      return meaningOfUser(row);
    case 'system':
      if (row['subtype'] === 'compact_boundary') return { kind: 'compacted' };
      if (asText(asRecord(row['commandRun'])['command']) === 'clear') return { kind: 'cleared' };
      return row['subtype'] === 'local_command' ? meaningOfText(asText(row['content']) ?? '', []) : nothing;
    case 'attachment':
      return meaningOfAttachment(asRecord(row['attachment']));
    default:
      return nothing;
  }
}

function meaningOfUser(row: RecordRow): RowMeaning {
  const blocks = readBlocks(asRecord(row['message'])['content']);
  if (blocks.some((block) => block.type.endsWith('tool_result'))) return { kind: 'conversation' };
  if (row['isMeta'] === true || row['isSynthetic'] === true || row['isCompactSummary'] === true) return nothing;
  if (row['isVisibleInTranscriptOnly'] === true || asText(row['parent_tool_use_id'])) return nothing;
  const origin = asText(asRecord(row['origin'])['kind']);
  if (origin !== undefined && origin !== 'human') return { kind: 'wake-up' };
  const text = blocks
    .filter((block) => block.type === 'text')
    .map((block) => asText(block.fields['text']) ?? '')
    .filter((part) => !part.startsWith('<system-reminder>'))
    .join('\n');
  return meaningOfText(
    text,
    blocks.filter((block) => block.type === 'image' || block.type === 'document').map(attachmentOf),
  );
}

/** Claude Code stores events around the conversation as marked text with role user. */
function meaningOfText(text: string, attachments: readonly Attachment[]): RowMeaning {
  if (text === '' && attachments.length === 0) return nothing;
  if (text.startsWith('[Request interrupted by user')) return { kind: 'interrupted' };
  if (text.startsWith('<task-notification>')) return { kind: 'wake-up' };
  const command = marked(text, 'command-name');
  if (command !== undefined)
    return { kind: 'prompt', text: `${command} ${marked(text, 'command-args') ?? ''}`.trim(), attachments };
  const typed = marked(text, 'bash-input');
  if (typed !== undefined) return { kind: 'prompt', text: `! ${typed}`, attachments };
  for (const mark of ['local-command-stdout', 'local-command-stderr', 'bash-stdout', 'bash-stderr']) {
    const output = marked(text, mark)?.trim();
    if (output !== undefined) return output === '' ? nothing : { kind: 'note', text: output };
  }
  if (/^<(local-command-caveat|system-reminder|user-memory-input|ide_)/.test(text)) return nothing;
  return { kind: 'prompt', text, attachments };
}

function marked(text: string, mark: string): string | undefined {
  const start = text.indexOf(`<${mark}>`);
  if (start === -1) return undefined;
  const end = text.indexOf(`</${mark}>`, start);
  return text.slice(start + mark.length + 2, end === -1 ? undefined : end);
}

/** A message sent into a running turn is in the record as an attachment of that turn. */
function meaningOfAttachment(attachment: Loose): RowMeaning {
  if (attachment['type'] !== 'queued_command' || attachment['commandMode'] !== 'prompt') return nothing;
  const origin = asText(asRecord(attachment['origin'])['kind']);
  if (origin !== undefined && origin !== 'human') return nothing;
  const text = readBlocks(attachment['prompt'])
    .map((block) => asText(block.fields['text']) ?? '')
    .join('\n');
  return text === '' || text.startsWith('<task-notification>') ? nothing : { kind: 'steered', text };
}

function attachmentOf(block: NativeBlock): Attachment {
  const source = asOptionalRecord(block.fields['source']);
  const data = asText(source?.['data']) ?? '';
  const mimeType =
    asText(source?.['media_type']) ?? (block.type === 'image' ? 'image/png' : 'application/octet-stream');
  return { mimeType, size: Math.floor((data.length * 3) / 4) };
}
