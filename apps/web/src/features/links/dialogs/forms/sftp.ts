import { certificateRules, concurrentConnectionChoices, defaultConnections, sftpAccessTypes } from '@sheaf/contract';
import { type Field, type Form, type Values, advisoryTexts, nameFaults, nameField, pick } from '#/features/links/dialogs/fields/field.ts';

/** The login pages; the value `login` says which one saves. */
export type SftpLogin = 'password' | 'keyfile';

/** SFTP: a page for the server, then one of two for the login. */
export const sftp: Form = {
  family: 'sftp',
  check: 'validate',
  nameField: 'serverName',
  defaultNameOf: 'SFTP',
  createLabel: 'Link',
  ...advisoryTexts('SFTP'),
  advisory: true,
  // Sheaf cannot reach a server in a private network, so it is not checked. Compared as on the server.
  canCheck: ({ accessType }) => accessType?.toLowerCase() !== sftpAccessTypes.privateNetwork.toLowerCase(),
  fields: () => [
    nameField(false),
    {
      kind: 'choice',
      name: 'accessType',
      label: 'Type',
      choices: [sftpAccessTypes.internet, sftpAccessTypes.privateNetwork],
      preset: sftpAccessTypes.internet,
    },
    {
      kind: 'text',
      name: 'server',
      label: 'Host',
      required: true,
      placeholder: 'nas.example.net',
      hint: 'Host or host:port. Without a port, 22 is used.',
    },
    { kind: 'text', name: 'path', label: 'Start path', placeholder: '/home/mara', advanced: true, half: true },
    {
      kind: 'choice',
      name: 'numConcurrentConnections',
      label: 'Max concurrent connections',
      choices: concurrentConnectionChoices.map(String),
      preset: String(defaultConnections.sftp),
      advanced: true,
      half: true,
    },
  ],
  info: (values) => ({
    enforceSSL: certificateRules.enforce,
    ...pick(values, ['username', 'numConcurrentConnections', 'accessType', 'path', 'enforceSSL', 'acceptedHostKey']),
    server: withPort(values['server'] ?? ''),
    password: (values['login'] === 'keyfile' ? values['passphrase'] : values['password']) ?? '',
    keyfileContent: (values['login'] === 'keyfile' && values['keyfileContent']) || '',
  }),
  fromStored: fromStoredSftp,
  faults: {
    ...nameFaults,
    MISSING_HOST: 'server',
    MISSING_USER_NAME: 'username',
    INVALID_KEY_FILE: 'keyfileContent',
    KEY_REFUSED: 'keyfileContent',
    WRONG_PASSPHRASE: 'passphrase',
  },
  summary: ({ numConcurrentConnections: count, path }) =>
    `${count} ${count === '1' ? 'connection' : 'connections'}, ${path ? `start at ${path}` : 'home folder'}`,
};

/** Fields of the two login pages. A key file needs no user name here; the server asks for it. */
export const loginFields: Readonly<Record<SftpLogin, readonly Field[]>> = {
  password: [
    { kind: 'text', name: 'username', label: 'User', required: true },
    { kind: 'secret', name: 'password', label: 'Password', required: true },
  ],
  keyfile: [
    { kind: 'text', name: 'username', label: 'User' },
    { kind: 'secret', name: 'passphrase', label: 'Passphrase', hint: 'Only if the key file has one.' },
    {
      kind: 'area',
      name: 'keyfileContent',
      label: 'Key file contents',
      required: true,
      placeholder: '-----BEGIN OPENSSH PRIVATE KEY-----',
      hint: 'Paste the private key.',
    },
  ],
};

/** Distributes the stored info over both pages: with a key file, the stored password is its passphrase. */
function fromStoredSftp(stored: Values): Values {
  if (!stored['keyfileContent']) return { ...stored, login: 'password' };
  const { password, ...rest } = stored;
  return { ...rest, login: 'keyfile', passphrase: password ?? '' };
}

/** The host with its port, 22 by default; brackets around an IPv6 address. Keeps a complete address. */
export function withPort(host: string): string {
  const bare = host.trim();
  if (bare === '' || bare.includes('://') || /^(\[[^\]]*\]|[^:]*):\d+$/.test(bare)) return bare;
  return bare.includes(':') && !bare.startsWith('[') ? `[${bare}]:22` : `${bare}:22`;
}
