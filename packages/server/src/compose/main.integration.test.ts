import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { builtMain, type Program, type ProgramOptions, startProgram } from '@liminal/stand-ins/testing/start-program';
import { afterEach, describe, expect, it } from 'vitest';

const programs: Program[] = [];
const start = (options?: ProgramOptions) => {
  const program = startProgram(options);
  programs.push(program);
  return program;
};
/** The output of `npx liminal …`. */
const liminal = async (...args: string[]): Promise<string> => {
  const script = fileURLToPath(new URL('../../../../scripts/liminal.mjs', import.meta.url));
  return (await promisify(execFile)(process.execPath, [script, ...args])).stdout;
};
afterEach(async () => {
  await Promise.all(programs.splice(0).map((program) => program.stop()));
});

describe('starting', () => {
  it('prints its address in one line, answers there, and shuts down cleanly', async () => {
    const program = start();
    const { url, port, token, pid } = await program.ready;
    expect(url).toBe(`http://127.0.0.1:${port}/?token=${token}`);
    expect(pid).toBe(program.child.pid);
    expect(await (await fetch(`http://127.0.0.1:${port}/api/health`)).json()).toMatchObject({ ok: true });
    expect(statSync(join(program.dataDir, 'token')).mode & 0o777).toBe(0o600);
    await program.stop('SIGTERM');
    expect(await program.exited).toEqual({ code: 0, signal: null });
    expect(program.stdout().trim().split('\n')).toHaveLength(1);
  });

  it('doesn’t load Node’s fetch, which takes 13 MB, before it is needed', async () => {
    const report = 'process.on("exit",()=>process.stderr.write(process.moduleLoadList.join("\\n")))';
    const only = `import{isMainThread}from"node:worker_threads";if(isMainThread)${report}`;
    const hook = `data:text/javascript,${encodeURIComponent(only)}`;
    const program = start({ main: builtMain, env: { NODE_OPTIONS: `--import=${hook}` } });
    await program.ready;
    await program.stop();
    expect(program.stderr()).toContain('NativeModule http\n');
    expect(program.stderr()).not.toContain('undici');
  });

  it('keeps running and stops cleanly while its log can’t be written, for example to a full disk', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'liminal-data-'));
    const counted = join(dataDir, 'exceptions');
    const hook = `import{writeFileSync}from"node:fs";import{isMainThread}from"node:worker_threads";let count=0;
      process.on("uncaughtExceptionMonitor",()=>(count+=1));
      if(isMainThread)process.on("exit",()=>writeFileSync(${JSON.stringify(counted)},String(count)));`;
    const program = start({
      dataDir,
      within: ['/bin/sh', '-c', 'exec "$@" 2>/dev/full', 'sh'],
      env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}` },
    });
    const { port, token } = await program.ready;
    for (let count = 0; count < 20; count += 1) {
      // The server logs a warning for each new version of this file.
      writeFileSync(join(dataDir, 'agents.json'), `nonsense ${count}`);
      const headers = { authorization: `Bearer ${token}` };
      expect((await fetch(`http://127.0.0.1:${port}/api/providers`, { headers })).status).toBe(200);
    }
    program.child.kill('SIGTERM');
    await expect.poll(() => program.child.exitCode).toBe(0);
    expect(readFileSync(counted, 'utf8')).toBe('0');
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('drops what was in the trash for a month soon after the start', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'liminal-data-'));
    const trash = join(dataDir, 'trash');
    for (const [name, days] of Object.entries({ old: 31, new: 1 })) {
      mkdirSync(join(trash, name), { recursive: true });
      const about = { root: '/project', way: 'a.ts', removedAt: Date.now() - days * 24 * 3_600_000 };
      writeFileSync(join(trash, name, 'about.json'), JSON.stringify(about));
    }
    // Daily work begins a minute after the start.
    const hook = 'const after=setTimeout;globalThis.setTimeout=(run,ms,...rest)=>after(run,ms===60_000?0:ms,...rest)';
    const program = start({
      dataDir,
      env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}` },
    });
    await program.ready;
    await expect.poll(() => readdirSync(trash)).toEqual(['new']);
    await program.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('keeps the token of a data directory across starts', async () => {
    const first = start();
    const { token } = await first.ready;
    first.child.kill('SIGKILL');
    await first.exited;
    const second = start({ dataDir: first.dataDir });
    expect((await second.ready).token).toBe(token);
  });

  it('refuses a data directory in use and names the other server’s address, until that server is killed', async () => {
    const first = start();
    const { port } = await first.ready;
    const second = start({ dataDir: first.dataDir });
    expect(await second.exited).toEqual({ code: 1, signal: null });
    expect(second.stderr()).toContain(`http://127.0.0.1:${port}/`);
    first.child.kill('SIGKILL');
    await first.exited;
    await expect(start({ dataDir: first.dataDir }).ready).resolves.toMatchObject({ event: 'ready' });
  });

  it.each([
    ['an unknown flag', ['--frobnicate'], 2, "Unknown option '--frobnicate'"],
    ['an impossible port', ['--port', '99999'], 2, "isn't a valid port"],
    ['another host without a token', ['--host', '0.0.0.0'], 2, 'LIMINAL_TOKEN'],
    ['an impossible data directory', ['--data-dir', '/dev/null/x'], 1, "Can't write to the data directory"],
    ['an address this machine doesn’t have', ['--host', '192.0.2.1'], 1, 'This machine has no address'],
  ])('says what to do about %s, without a stack trace', async (_name, args, code, words) => {
    const env = args[1] === '192.0.2.1' ? { LIMINAL_TOKEN: 'long-enough-to-be-a-secret' } : {};
    const program = start({ args, env });
    expect((await program.exited).code).toBe(code);
    expect(program.stderr()).toContain(words);
    expect(program.stderr()).not.toMatch(/\n\s+at /);
    expect(program.stdout()).toBe('');
  });

  it.each([
    ['--help', ['start', '--help'], /^Usage:\n {2}npm start -- \[flags\]/m],
    ['--version', ['--version'], /^\d+\.\d+\.\d+\n$/],
  ])('answers %s without starting, the same from npm start and from npx liminal', async (flag, args, answer) => {
    const program = start({ args: [flag] });
    expect(await program.exited).toEqual({ code: 0, signal: null });
    expect(program.stdout()).toMatch(answer);
    expect(await liminal(...args)).toBe(program.stdout());
  });

  it('lists the commands of npx liminal with --help', async () => {
    expect(await liminal('--help')).toMatch(/^Usage: liminal COMMAND[^]*^ {2}start [^]*^ {2}attach /m);
  });

  it('says what to do about a port in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as { port: number };
    const program = start({ args: ['--port', String(port)] });
    expect((await program.exited).code).toBe(1);
    expect(program.stderr()).toContain(`Port ${port} is already in use`);
    other.close();
  });

  it('says what to do about a file that isn’t a database, and leaves it unchanged', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'liminal-data-'));
    writeFileSync(join(dataDir, 'liminal.sqlite'), 'this is no database at all, but long enough to look at');
    const program = start({ dataDir });
    expect((await program.exited).code).toBe(1);
    expect(program.stderr()).toContain("Can't open the database");
    rmSync(dataDir, { recursive: true, force: true });
  });
});
