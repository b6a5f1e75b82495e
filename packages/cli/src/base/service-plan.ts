import { join } from 'node:path';

export type ServiceMachine = {
  readonly platform: string;
  readonly home: string;
  readonly uid: number;
  /** The Node executable and the script that it runs. */
  readonly node: string;
  readonly launcher: string;
  readonly dataDir: string;
  /** The PATH of the user's terminal: agents can't be found in a service's own. */
  readonly path: string;
};

export type ServicePlan = {
  readonly file: string;
  readonly content: string;
  /** Ends an earlier installation, if there is one; fails if there is none. */
  readonly replace?: readonly string[];
  readonly install: readonly (readonly string[])[];
  readonly uninstall: readonly (readonly string[])[];
  /** Succeeds while the service runs. */
  readonly status: readonly string[];
};

const name = 'liminal-builder';
const label = 'org.liminal-builder.server';

/** How to install the server as a service of this user. Null if the system isn't supported. */
export function servicePlan(machine: ServiceMachine): ServicePlan | null {
  if (machine.platform === 'linux') return systemd(machine);
  return machine.platform === 'darwin' ? launchd(machine) : null;
}

const commandOf = ({ node, launcher, dataDir }: ServiceMachine): string[] => [
  node,
  launcher,
  'start',
  '--no-open',
  '--data-dir',
  dataDir,
];

/** systemd expands % and $, and a quote ends a quoted word. */
const unitText = (text: string): string =>
  `"${text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', String.raw`\"`)
    .replaceAll('%', '%%')}"`;
const unitCommand = (text: string): string => unitText(text).replaceAll('$', '$$$$');

function systemd(machine: ServiceMachine): ServicePlan {
  const unit = `${name}.service`;
  const systemctl = (...args: string[]) => ['systemctl', '--user', ...args];
  return {
    file: join(machine.home, '.config', 'systemd', 'user', unit),
    content: `[Unit]
Description=Liminal Builder, a workbench for coding agents

[Service]
Type=exec
ExecStart=${commandOf(machine).map(unitCommand).join(' ')}
Environment=${unitText(`PATH=${machine.path}`)}
# The server ends its agents in order; what is left after that is ended by systemd.
KillMode=mixed
TimeoutStopSec=15
Restart=on-failure

[Install]
WantedBy=default.target
`,
    install: [
      systemctl('daemon-reload'),
      systemctl('enable', unit),
      // Also starts it. One that runs already would otherwise keep the old program and settings.
      systemctl('restart', unit),
      // Otherwise it would end when the user signs out.
      ['loginctl', 'enable-linger'],
    ],
    uninstall: [systemctl('disable', '--now', unit)],
    status: systemctl('is-active', '--quiet', unit),
  };
}

const xml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

function launchd(machine: ServiceMachine): ServicePlan {
  const file = join(machine.home, 'Library', 'LaunchAgents', `${label}.plist`);
  const domain = `gui/${machine.uid}`;
  const words = commandOf(machine).map((word) => `    <string>${xml(word)}</string>`);
  return {
    file,
    content: `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${label}</string>
  <key>ProgramArguments</key>
  <array>
${words.join('\n')}
  </array>
  <key>EnvironmentVariables</key>
  <dict>
    <key>PATH</key>
    <string>${xml(machine.path)}</string>
  </dict>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ExitTimeOut</key>
  <integer>15</integer>
</dict>
</plist>
`,
    replace: ['launchctl', 'bootout', `${domain}/${label}`],
    install: [['launchctl', 'bootstrap', domain, file]],
    uninstall: [['launchctl', 'bootout', `${domain}/${label}`]],
    status: ['launchctl', 'print', `${domain}/${label}`],
  };
}
