import type { Failure, ServerMessage, TerminalClientMessage } from '@liminal/contracts';
import type { PtyExit } from '../terminals/pty/pty.ts';
import type { Attachment, ReaderState } from '../terminals/terminal.ts';
import type { TerminalService } from '../terminals/terminal-service.ts';

/** The part of a socket that carries terminal output. */
export type BytesWire = {
  /** One message; its parts may change after the call. */
  sendBytes(...parts: readonly Uint8Array[]): void;
};

export type TerminalConnection = { handle(message: TerminalClientMessage): void; close(): void };

/** The terminals one browser is attached to. */
export function createTerminalConnection({
  wire,
  terminals,
  say,
}: {
  readonly wire: BytesWire;
  readonly terminals: TerminalService;
  readonly say: (message: ServerMessage) => void;
}): TerminalConnection {
  const attached = new Map<string, Attachment>();
  let unfollow: (() => void) | null = null;

  const refuse = ({ code, message }: Failure, terminalId: string) => say({ type: 'error', code, message, terminalId });
  const detach = (terminalId: string): void => {
    attached.get(terminalId)?.detach();
    attached.delete(terminalId);
  };
  const attach = (terminalId: string, offset?: number): void => {
    detach(terminalId);
    const reader = {
      state: (state: ReaderState) => say({ type: 'terminal:state', terminalId, ...state }),
      output: (head: Uint8Array, output: Uint8Array) => wire.sendBytes(head, output),
      exit: (exit: PtyExit) => say({ type: 'terminal:exit', terminalId, ...exit }),
    };
    const attachment = terminals.attach(terminalId, reader, offset);
    if (attachment.ok) attached.set(terminalId, attachment.value);
    else refuse(attachment.failure, terminalId);
  };
  const input = (terminalId: string, data: string): void => {
    const attachment = attached.get(terminalId);
    if (!attachment) return refuse(notAttached, terminalId);
    if (!attachment.input(data)) refuse(notTaken, terminalId);
  };
  const follow = (): void => {
    unfollow?.();
    const publish = () =>
      say({ type: 'terminals:changed', terminals: terminals.all(), agentPorts: terminals.agentPorts() });
    unfollow = terminals.follow(publish);
    publish();
  };

  return {
    handle(message) {
      switch (message.type) {
        case 'terminals:subscribe':
          return follow();
        case 'terminal:attach':
          return attach(message.terminalId, message.offset);
        case 'terminal:detach':
          return detach(message.terminalId);
        case 'terminal:input':
          return input(message.terminalId, message.data);
        case 'terminal:resize': {
          if (!attached.has(message.terminalId)) return refuse(notAttached, message.terminalId);
          const resized = terminals.resize(message.terminalId, message);
          return resized.ok ? undefined : refuse(resized.failure, message.terminalId);
        }
        case 'terminal:ack':
          return attached.get(message.terminalId)?.ack(message.offset);
      }
    },
    close() {
      unfollow?.();
      for (const terminalId of attached.keys()) detach(terminalId);
    },
  };
}

const notAttached: Failure = { code: 'INVALID_REQUEST', message: 'Attach to this terminal first.' };
const notTaken: Failure = { code: 'NOT_SUPPORTED', message: "The program in this terminal isn't accepting input." };
