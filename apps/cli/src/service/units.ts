import { join } from 'node:path';

/** A command that runs while its user is signed in to the computer. */
export interface LoginCommand {
  /** Unique among the commands; letters and digits. */
  readonly id: string;
  /** Description, one line. */
  readonly title: string;
  /** The program, with absolute paths, and its arguments. */
  readonly command: readonly string[];
  /** Variables that it needs in addition to the user's own. */
  readonly environment: Readonly<Record<string, string>>;
}

/** How to register such a command: a file, and the programs to run after writing and before removing it. */
export interface Unit {
  readonly file: string;
  readonly content: string | Buffer;
  readonly start: readonly (readonly string[])[];
  readonly stop: readonly (readonly string[])[];
}

interface Place {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's id; needed on macOS only. */
  readonly uid: number;
}

/** Returns the unit for this system; undefined if it supports none of the three kinds. */
export function unitFor(place: Place, wanted: LoginCommand): Unit | undefined {
  if (place.platform === 'linux') return systemdUnit(place, wanted);
  if (place.platform === 'darwin') return launchAgent(place, wanted);
  return place.platform === 'win32' ? scheduledTask(place, wanted) : undefined;
}

/** A user unit: systemd.unit(5), systemd.service(5); quoting as in systemd.syntax(7). */
function systemdUnit({ home, env }: Place, { id, title, command, environment }: LoginCommand): Unit {
  const quoted = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%')}"`;
  const name = `sheaf-${id}.service`;
  const lines = [
    '[Unit]',
    `Description=${title.replaceAll('%', '%%')}`,
    '',
    '[Service]',
    ...Object.entries(environment).map(([variable, value]) => `Environment=${quoted(`${variable}=${value}`)}`),
    // Only ExecStart expands variables, which begin with a dollar sign.
    `ExecStart=${command.map((word) => quoted(word).replaceAll('$', '$$$$')).join(' ')}`,
    'Restart=on-failure',
    'RestartSec=60',
    '',
    '[Install]',
    'WantedBy=default.target',
    '',
  ];
  return {
    file: join(env['XDG_CONFIG_HOME'] ?? join(home, '.config'), 'systemd/user', name),
    content: lines.join('\n'),
    start: [
      ['systemctl', '--user', 'daemon-reload'],
      ['systemctl', '--user', 'enable', '--now', name],
    ],
    stop: [['systemctl', '--user', 'disable', '--now', name]],
  };
}

const xml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** A launch agent: launchd.plist(5). */
function launchAgent({ home, uid }: Place, { id, command, environment }: LoginCommand): Unit {
  const label = `sheaf.${id}`;
  const file = join(home, 'Library/LaunchAgents', `${label}.plist`);
  const variables = Object.entries(environment).map(([name, value]) => `<key>${xml(name)}</key><string>${xml(value)}</string>`);
  return {
    file,
    content: `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key><string>${label}</string>
  <key>ProgramArguments</key>
  <array>
${command.map((word) => `    <string>${xml(word)}</string>`).join('\n')}
  </array>
  <key>EnvironmentVariables</key>
  <dict>${variables.join('')}</dict>
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>
  <key>ThrottleInterval</key><integer>60</integer>
</dict>
</plist>
`,
    start: [['launchctl', 'bootstrap', `gui/${uid}`, file]],
    stop: [['launchctl', 'bootout', `gui/${uid}/${label}`]],
  };
}

/** Quotes one argument as Windows programs parse it: https://learn.microsoft.com/cpp/c-language/parsing-c-command-line-arguments */
const windowsWord = (text: string): string => `"${text.replaceAll(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`;

/** A task of the Task Scheduler: https://learn.microsoft.com/windows/win32/taskschd/task-scheduler-schema. Windows expects UTF-16. */
function scheduledTask({ env, home }: Place, { id, title, command, environment }: LoginCommand): Unit {
  const [program = '', ...args] = command;
  const variables = Object.entries(environment).map(([name, value]) => `set "${name}=${value}"&& `);
  const [started, words] =
    variables.length === 0
      ? [program, args.map(windowsWord).join(' ')]
      : ['cmd.exe', `/d /s /c "${variables.join('')}${command.map(windowsWord).join(' ')}"`];
  const name = `Sheaf ${id}`;
  const content = `<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo><Description>${xml(title)}</Description></RegistrationInfo>
  <Triggers><LogonTrigger><Enabled>true</Enabled></LogonTrigger></Triggers>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <RestartOnFailure><Interval>PT1M</Interval><Count>999</Count></RestartOnFailure>
    <Hidden>true</Hidden>
  </Settings>
  <Actions><Exec><Command>${xml(started)}</Command><Arguments>${xml(words)}</Arguments></Exec></Actions>
</Task>
`;
  const file = join(env['LOCALAPPDATA'] ?? home, 'Sheaf', `${id}.xml`);
  return {
    file,
    content: Buffer.from(`\ufeff${content}`, 'utf16le'),
    start: [
      ['schtasks', '/Create', '/F', '/TN', name, '/XML', file],
      ['schtasks', '/Run', '/TN', name],
    ],
    stop: [
      ['schtasks', '/End', '/TN', name],
      ['schtasks', '/Delete', '/F', '/TN', name],
    ],
  };
}
