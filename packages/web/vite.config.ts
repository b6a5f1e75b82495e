import { readFileSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type ProxyOptions } from 'vite';

/** Where scripts/dev.mjs started the server, and its token; both are missing in a build. */
const server = process.env['LIMINAL_DEV_SERVER'];
const token = process.env['LIMINAL_DEV_TOKEN'];

/** The server reports the same version: a page that finds another one was built for another server. */
const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
  version: string;
};

/**
 * Connects to the server as an API client; the token stays in this process and the page needs none. The page's own
 * Origin becomes the server's; any other is passed on unchanged, so the server rejects it.
 */
function proxyTo(target: string): ProxyOptions {
  const adoptOrigin = (onward: ClientRequest, { headers, socket }: IncomingMessage): void => {
    const own = [`http://127.0.0.1:${socket.localPort}`, `http://localhost:${socket.localPort}`];
    if (headers.origin !== undefined && own.includes(headers.origin)) onward.setHeader('origin', target);
  };
  return {
    target,
    changeOrigin: true,
    ws: true,
    headers: { authorization: `Bearer ${token ?? ''}` },
    configure: (proxy) => {
      proxy.on('proxyReq', adoptOrigin);
      proxy.on('proxyReqWs', adoptOrigin);
    },
  };
}

/** Writes a compressed copy next to each script and style, so the server only has to send it. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    async writeBundle({ dir = '' }) {
      const assets = join(dir, 'assets');
      const names = (await readdir(assets)).filter((name) => /\.(js|css)$/.test(name));
      await Promise.all(
        names.map(async (name) => {
          const file = join(assets, name);
          const bytes = await readFile(file);
          const written = [promisify(brotliCompress)(bytes), promisify(gzip)(bytes)] as const;
          await writeFile(`${file}.br`, await written[0]);
          await writeFile(`${file}.gz`, await written[1]);
        }),
      );
    },
  };
}

/** All supported browsers read WOFF2: leaves the other two formats of KaTeX's fonts out of the build. */
function onlyWoff2(): Plugin {
  return {
    name: 'only-woff2',
    enforce: 'pre',
    transform(code, id) {
      if (!id.includes('katex') || !id.includes('.css')) return null;
      return code.replaceAll(/,url\([^)]*\) format\("(?:woff|truetype)"\)/g, '');
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  // Relative, so the page also works below a path of a reverse proxy.
  base: './',
  plugins: [react(), onlyWoff2(), compressed()],
  define: { __PAGE_VERSION__: JSON.stringify(version) },
  resolve: {
    // The diagram library includes another version, for formulas in diagrams, which aren't drawn.
    dedupe: ['katex'],
    alias: [
      // The markdown library includes an HTML parser and a class merger that this page never uses.
      { find: 'rehype-raw', replacement: join(import.meta.dirname, 'src/rendering/no-raw-html.ts') },
      { find: 'tailwind-merge', replacement: join(import.meta.dirname, 'src/rendering/join-classes.ts') },
      { find: /^\.\/elk-[A-Z0-9]+\.mjs$/, replacement: join(import.meta.dirname, 'src/rendering/rich/no-elk.ts') },
    ],
  },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2024',
    // The content security policy allows no inline script and no data: fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Grammars and diagrams are large, and load only when they are first needed.
    chunkSizeWarningLimit: 1_500,
    // Compression takes the time here, which is intended.
    rolldownOptions: {
      checks: { bundlerTimings: false },
      output: {
        codeSplitting: {
          groups: [
            // In one file, in this order: a separate file with Zod would run before its setting.
            { name: 'zod', test: /configure-zod|node_modules[\\/]zod[\\/]/, priority: 2 },
            // Everything the first screen needs, also what later parts share with it. Otherwise each shared module would
            // be a file of its own, and the page would start with 45 requests.
            { name: 'page', test: /web[\\/]src[\\/]main\.tsx$/, priority: 1 },
          ],
        },
      },
    },
  },
  // As modules, so the highlighter starts with only the requested grammar.
  worker: { format: 'es' },
  server: {
    host: '127.0.0.1',
    ...(server === undefined ? {} : { proxy: { '/api': proxyTo(server), '/ws': proxyTo(server) } }),
  },
});
