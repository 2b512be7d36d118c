import { type Program, quoted } from './steps.ts';

interface Sftp {
  readonly host: string;
  readonly port: number;
  readonly folder: string;
}

const hostIn = (host: string): string => (host.includes(':') ? `[${host}]` : host);

export const sftpAddress = ({ host, port }: Sftp): string => `sftp://${hostIn(host)}:${port}`;

/** The default path of keys that `ssh-keygen` makes. */
const keyFile = '~/.ssh/id_ed25519';

/** Opens the server with a key. */
export const sftpCommand = ({ host, port, username }: Omit<Sftp, 'folder'> & { readonly username: string }): string =>
  `sftp -i ${keyFile} -P ${port} ${username}@${hostIn(host)}`;

/** The steps for SFTP; the programs ask for the password, unless an SSH key signs in. */
export function sftpPrograms(address: Sftp & { readonly username: string }): readonly Program[] {
  const { host, port, folder, username } = address;
  return [
    {
      id: 'sftp',
      title: 'sftp',
      steps: [
        { text: 'Open the server, then the folder of the link:', command: `sftp -P ${port} ${username}@${host}\ncd ${quoted(folder)}` },
      ],
    },
    {
      id: 'sshfs',
      title: 'sshfs',
      steps: [
        {
          text: 'Mount the link as a folder:',
          command: `mkdir -p ~/sheaf\nsshfs -p ${port} ${quoted(`${username}@${hostIn(host)}:${folder}`)} ~/sheaf`,
        },
        { text: 'Files are stored when they are closed, as a whole. To end it:', command: 'fusermount -u ~/sheaf' },
      ],
    },
    {
      id: 'rclone',
      title: 'rclone',
      steps: [
        {
          text: 'Create a remote named sheaf; rclone then asks for the password; press Enter at its other questions:',
          command: `rclone config create --all sheaf sftp host=${host} port=${port} user=${username} shell_type=none`,
        },
        { text: 'Check that it works:', command: `rclone lsf ${quoted(`sheaf:${folder}`)}` },
      ],
    },
    {
      id: 'key',
      title: 'With an SSH key',
      steps: [
        {
          text: 'Add your public key above, then sign in with the private one and the user name of the key:',
          command: sftpCommand(address),
        },
        {
          text: 'Or write these lines into ~/.ssh/config, so that all programs that use OpenSSH know the server as sheaf:',
          command: `Host sheaf\n  HostName ${host}\n  Port ${port}\n  User ${username}\n  IdentityFile ${keyFile}\n  IdentitiesOnly yes`,
        },
        {
          text: 'Then the short name is enough:',
          command: `sftp ${quoted(`sheaf:${folder}`)}\nsshfs ${quoted(`sheaf:${folder}`)} ~/sheaf`,
        },
        {
          text: 'rclone reads the key too:',
          command: `rclone config create sheaf sftp host=${host} port=${port} user=${username} key_file=${keyFile} shell_type=none`,
        },
      ],
    },
  ];
}
