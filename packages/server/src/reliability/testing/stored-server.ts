import { join } from 'node:path';
import type { Encoding } from '@liminal/contracts';
import { afterEach } from 'vitest';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import { startTestServer, type TestServer, type TestServerOptions, testToken } from '../../testing/test-server.ts';
import { connectReader, type FoldingReader } from './folding-reader.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A listening server with a database on disk, and its readers. */
export type StoredServer = TestServer & {
  /** All readers that were connected, in order. */
  readonly readers: readonly FoldingReader[];
  connect(): Promise<FoldingReader>;
  /** A new reader that has received the whole session. */
  follow(sessionId: string, encoding: Encoding): Promise<FoldingReader>;
};

/** Starts such servers for one test file, and ends them after each test. */
export function storedServers(name: string): (options: TestServerOptions) => Promise<StoredServer> {
  const folder = temporaryFolder(name);
  const endings: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of endings.splice(0)) await end();
  });
  return async (options) => {
    const store = openSqliteStore(join(folder, 'liminal.sqlite'));
    const server = await startTestServer({ ...options, store });
    const readers: FoldingReader[] = [];
    endings.push(async () => {
      await Promise.all(readers.map((reader) => reader.close()));
      await server.close();
      await store.close();
    });
    const address = { port: await server.served.listen(), token: testToken };
    const connect = async (): Promise<FoldingReader> => {
      const reader = await connectReader(address);
      readers.push(reader);
      return reader;
    };
    return {
      ...server,
      readers,
      connect,
      async follow(sessionId, encoding) {
        const reader = await connect();
        reader.subscribe(sessionId, encoding);
        await reader.until(sessionId, (timeline) => timeline.cursor !== undefined);
        return reader;
      },
    };
  };
}
