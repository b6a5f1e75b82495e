import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runLiminal } from '../testing/start-liminal.ts';

let home: string;
let dataDir: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'liminal-service-'));
  dataDir = join(home, 'data');
  mkdirSync(join(home, 'bin'));
  mkdirSync(dataDir);
  standIn('loginctl', 'exit 0');
});
afterEach(() => rmSync(home, { recursive: true }));

/** A program of the system that does only this. */
const standIn = (name: string, line: string): void =>
  writeFileSync(join(home, 'bin', name), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
const announce = (): string =>
  `echo '{"address":"http://127.0.0.1:1/","pid":${process.pid}}' > '${dataDir}/server.json'`;
const install = () => {
  const path = [join(home, 'bin'), process.env['PATH']].join(delimiter);
  return runLiminal(['service', 'install', '--data-dir', dataDir], { env: { ...process.env, HOME: home, PATH: path } });
};
const unit = (): string => join(home, '.config/systemd/user/liminal-builder.service');

describe.runIf(process.platform === 'linux')('liminal service install', { timeout: 60_000 }, () => {
  it('PK-2: says that the service runs only after its server has started', async () => {
    standIn('systemctl', `case "$*" in *restart*) ${announce()} ;; esac`);
    expect(await install()).toMatchObject({ code: 0, out: expect.stringContaining('now runs as a service') });
    expect(existsSync(unit())).toBe(true);
  });

  it('PK-2: says how to find the reason if its server doesn’t start', async () => {
    standIn('systemctl', 'case "$*" in *is-active*) exit 3 ;; esac');
    const { code, out, errors } = await install();
    expect([code, out]).toEqual([1, '']);
    expect(errors).toContain(`the server didn't start. Run \`liminal start --data-dir ${dataDir}\` to see why.`);
  });

  it('PK-2: changes nothing while another server uses the data directory', async () => {
    writeFileSync(join(dataDir, 'server.json'), JSON.stringify({ address: 'http://127.0.0.1:1/', pid: process.pid }));
    standIn('systemctl', 'case "$*" in *is-active*) exit 3 ;; esac');
    expect(await install()).toMatchObject({ code: 1, errors: expect.stringContaining(`(process ${process.pid})`) });
    expect(existsSync(unit())).toBe(false);
  });

  it('PK-2: can be repeated while the service runs, which then starts again with the new program', async () => {
    writeFileSync(join(dataDir, 'server.json'), JSON.stringify({ address: 'http://127.0.0.1:1/', pid: process.pid }));
    const log = join(home, 'log');
    standIn('systemctl', `echo "$*" >> '${log}'`);
    expect(await install()).toMatchObject({ code: 0 });
    expect(readFileSync(log, 'utf8')).toContain('--user restart liminal-builder.service\n');
  });
});
