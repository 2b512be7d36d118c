/** How a program is connected: sentences, and commands to copy. */
export interface Program {
  readonly id: string;
  readonly title: string;
  readonly steps: readonly Step[];
}
export interface Step {
  readonly text: string;
  readonly command?: string;
}

/** A text for a shell of Unix: in single quotes unless it is plain. */
export const quoted = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`);

/** The steps for WebDAV; the password is asked for, so that it stays out of the shell's history. */
export function davPrograms(address: string, username: string): readonly Program[] {
  const davs = address.replace(/^http/, 'dav');
  return [
    {
      id: 'finder',
      title: 'Finder',
      steps: [
        { text: 'In Finder choose Go, then Connect to Server.' },
        { text: 'Paste the address and choose Connect.' },
        { text: 'Choose Registered user and enter the user name and the app password.' },
        { text: 'The link appears under Locations. Tick “Remember this password in my keychain” to keep it.' },
      ],
    },
    {
      id: 'explorer',
      title: 'Explorer',
      steps: [
        { text: 'In Explorer open This PC, then “Map network drive”.' },
        { text: 'Paste the address as the folder and tick “Connect using different credentials”.' },
        { text: 'Enter the user name and the app password.' },
        {
          text: 'Windows refuses files over 47 MB by default. To allow them, run this once as administrator, then restart:',
          command: String.raw`reg add HKLM\SYSTEM\CurrentControlSet\Services\WebClient\Parameters /v FileSizeLimitInBytes /t REG_DWORD /d 4294967295 /f`,
        },
      ],
    },
    {
      id: 'linux',
      title: 'Linux',
      steps: [
        { text: 'In Files (GNOME) open Other Locations, or in Dolphin (KDE) Network, and enter:', command: davs },
        { text: 'Or mount it as a folder with davfs2:', command: `sudo mount -t davfs ${quoted(address)} /mnt` },
      ],
    },
    {
      id: 'phone',
      title: 'Phone',
      steps: [
        { text: 'Open an app that knows WebDAV: on an iPhone for example Documents, on Android Material Files or Solid Explorer.' },
        { text: 'Add a WebDAV server with the address above.' },
        { text: 'Enter the user name and the app password.' },
      ],
    },
    {
      id: 'rclone',
      title: 'rclone',
      steps: [
        {
          text: 'Create a remote named sheaf; rclone then asks for the password; press Enter at its other questions:',
          command: `rclone config create --all sheaf webdav url=${quoted(address)} vendor=other user=${quoted(username)}`,
        },
        { text: 'Check that it works:', command: 'rclone lsf sheaf:' },
      ],
    },
  ];
}
