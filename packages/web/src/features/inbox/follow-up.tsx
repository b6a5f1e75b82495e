import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useWorkbench } from '../../state/workbench/use-workbench.ts';
import { Button } from '../../ui/button.tsx';

type FollowUpProps = { readonly sessionId: string; readonly title: string; readonly onDone: () => void };

/** A one-line message to a session without opening it. Enter sends, Escape cancels. */
export function FollowUp({ sessionId, title, onDone }: FollowUpProps): ReactNode {
  const { api, drafts, newId } = useWorkbench();
  const [text, setText] = useState(() => drafts.read(sessionId));
  const [problem, setProblem] = useState('');
  // The same text is the same message if it is sent again because the reply was lost.
  const attempt = useRef({ content: '', clientMessageId: '' });
  const [isSending, setSending] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);

  const send = async (): Promise<void> => {
    if (text.trim() === '' || isSending) return;
    if (attempt.current.content !== text) attempt.current = { content: text, clientMessageId: newId() };
    setSending(true);
    const reply = await api.session.send(sessionId, attempt.current);
    setSending(false);
    setProblem(reply.ok ? '' : reply.failure.message);
    if (!reply.ok) return;
    attempt.current = { content: '', clientMessageId: '' };
    // What the user wrote meanwhile wasn't sent.
    if (drafts.read(sessionId) !== text) return;
    drafts.write(sessionId, '');
    onDone();
  };
  return (
    <form
      className="inbox-follow-up"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onDone();
      }}
    >
      <input
        ref={input}
        className="input"
        aria-label={`Message to ${title}`}
        placeholder="Follow up"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          drafts.write(sessionId, event.target.value);
        }}
      />
      <Button type="submit" look="primary" disabled={text.trim() === '' || isSending}>
        Send
      </Button>
      {problem !== '' && (
        <p className="field-error" role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}
