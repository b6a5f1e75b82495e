import { describe, expect, it } from 'vitest';
import { servicePlan, type ServiceMachine } from './service-plan.ts';

const machine: ServiceMachine = {
  platform: 'linux',
  home: '/home/ada',
  uid: 501,
  node: '/opt/node 24/bin/node',
  launcher: '/opt/50%/liminal.mjs',
  dataDir: '/home/ada/"data" & $HOME',
  path: '/usr/local/bin:/usr/bin',
};

describe('a service', () => {
  it('PK-2: of systemd belongs to the user, finds agents, and ends them cleanly', () => {
    const plan = servicePlan(machine);
    expect(plan?.file).toBe('/home/ada/.config/systemd/user/liminal-builder.service');
    const lines = plan?.content.split('\n') ?? [];
    expect(lines).toContain(
      String.raw`ExecStart="/opt/node 24/bin/node" "/opt/50%%/liminal.mjs" "start" "--no-open" "--data-dir" "/home/ada/\"data\" & $$HOME"`,
    );
    expect(lines).toContain('Environment="PATH=/usr/local/bin:/usr/bin"');
    expect(lines).toEqual(expect.arrayContaining(['KillMode=mixed', 'TimeoutStopSec=15', 'Restart=on-failure']));
    expect(plan?.install.map((words) => words.join(' '))).toEqual([
      'systemctl --user daemon-reload',
      'systemctl --user enable liminal-builder.service',
      'systemctl --user restart liminal-builder.service',
      'loginctl enable-linger',
    ]);
  });

  it('PK-2: of launchd belongs to the user, with escaped arguments', () => {
    const plan = servicePlan({ ...machine, platform: 'darwin' });
    expect(plan?.file).toBe('/home/ada/Library/LaunchAgents/org.liminal-builder.server.plist');
    expect(plan?.content).toContain('<string>/home/ada/&quot;data&quot; &amp; $HOME</string>');
    expect(plan?.replace).toEqual(['launchctl', 'bootout', 'gui/501/org.liminal-builder.server']);
    expect(plan?.install).toEqual([['launchctl', 'bootstrap', 'gui/501', plan?.file]]);
    const tags = [...(plan?.content ?? '').matchAll(/<(\/?)(plist|dict|array|string|key|integer)\b/g)];
    const open: string[] = [];
    for (const [, close, tag = ''] of tags) {
      if (close === '/') expect(open.pop()).toBe(tag);
      else open.push(tag);
    }
    expect(open).toEqual([]);
  });

  it('isn’t available on other systems', () => expect(servicePlan({ ...machine, platform: 'win32' })).toBeNull());
});
