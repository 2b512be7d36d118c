import { type Program, quoted } from './steps.ts';

interface Sftp {
  readonly host: string;
  readonly port: number;
  readonly folder: string;
}

const hostIn = (host: string): string => (host.includes(':') ? `[${host}]` : host);

export const sftpAddress = ({ host, port }: Sftp): string => `sftp://${hostIn(host)}:${port}`;

/** The steps for SFTP; the programs ask for the password. */
export function sftpPrograms({ host, port, folder, username }: Sftp & { readonly username: string }): readonly Program[] {
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
  ];
}
