import type { TidyLimits, TurnRecord, UpsertObject } from '@liminal/contracts';

/** How an upsert came about, as far as a job reports it. */
export type Appended = { readonly appendedFrom: number; readonly text: string };

/**
 * What a job receives inside the server's process. It repeats the few types the jobs use from
 * packages/server/src/testing/bench-host.ts, because the server itself can't be imported.
 */
export type BenchHost = {
  readonly port: number;
  readonly token: string;
  /** A directory for this run, on a real disk. */
  readonly folder: string;
  readonly provider: {
    readonly sent: readonly { readonly sessionId: string }[];
    /** The provider's callback: an agent's translator calls it when an item has a new state. */
    upsert(sessionId: string, upsert: UpsertObject, how?: Appended): void;
    start(sessionId: string): void;
    end(sessionId: string): void;
  };
  call(method: 'GET' | 'POST' | 'PATCH', url: string, body?: unknown): Promise<{ status: number; body: unknown }>;
  newSession(): Promise<string>;
  /** The server's own store: its data is still there after a restart in the same folder. */
  readonly store: BenchStore;
  /** Everything sent over the network so far, including headers and compression. */
  bytesSent(): number;
  /** The part of it that went over WebSockets. */
  socketBytesSent(): number;
  openStore(path: string): BenchStore;
  /** The git that the server uses. */
  readonly git: { open(folder: string): Promise<{ readonly ok: boolean; readonly value?: BenchTree }> };
  createItemWriter(deps: { store: BenchStore; intervalMs: number; onError: (error: unknown) => void }): {
    put(row: ItemRow, ended: boolean): void;
    flush(): Promise<void>;
  };
};

/** A working tree that can be recorded. */
export type BenchTree = { keep(name: string): Promise<{ readonly ok: boolean }> };

export type ItemRow = {
  readonly sessionId: string;
  readonly itemId: string;
  readonly turnId: string;
  readonly order: number;
  readonly sourceId: string | null;
  readonly change: { readonly epoch: string; readonly seq: number } | null;
  readonly body: UpsertObject;
};

export type TurnRow = TurnRecord & {
  readonly sessionId: string;
  readonly position: number;
  readonly content: string;
  readonly images: readonly [];
  readonly createdAt: string;
  readonly clientMessageId: null;
  readonly startedAt: string;
  readonly endedAt: string;
};

export type BenchStore = {
  write(
    writes: readonly (
      | { readonly type: 'put-item'; readonly row: ItemRow }
      | { readonly type: 'put-turn'; readonly row: TurnRow }
    )[],
  ): Promise<void>;
  /** Removes what is older than the limits, and frees the space. */
  tidy(limits: TidyLimits): Promise<{ readonly outputs: number }>;
  close(): Promise<void>;
};
