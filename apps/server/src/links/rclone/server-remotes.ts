import { certificateRules, defaultConnections, ftpProtocols, sftpAccessTypes } from '@sheaf/contract';
import { reveal } from './obscure.ts';
import { type Options, type ReadRemote, isTrue, unsupported, withoutSlashes } from './plan.ts';

const badPassword = unsupported('REMOTE_PASSWORD_UNREADABLE');
/** The revealed password; undefined when it is unreadable, empty when there is none. */
const passwordOf = (options: Options, option: string): string | undefined => (options[option] ? reveal(options[option]) : '');
const addressOf = (options: Options): string => {
  const { host = '', port = '' } = options;
  const name = host.includes(':') ? `[${host}]` : host;
  return port === '' ? name : `${name}:${port}`;
};

/** Servers with a login, by rclone's types. */
export const serverRemotes: Readonly<Record<string, ReadRemote>> = {
  sftp(options, start) {
    const password = passwordOf(options, 'pass');
    const passphrase = passwordOf(options, 'key_file_pass');
    if (password === undefined || passphrase === undefined) return badPassword;
    const key = options['key_pem']?.replaceAll(String.raw`\n`, '\n') ?? '';
    if (key === '' && options['key_file']) return unsupported('REMOTE_KEY_FILE');
    if (key === '' && password === '') return unsupported('REMOTE_AGENT');
    return {
      kind: 'link',
      family: 'sftp',
      provider: 'SFTP',
      info: {
        server: addressOf(options),
        username: options['user'] ?? '',
        password: key === '' ? password : passphrase,
        ...(key !== '' && { keyfileContent: `${key.trim()}\n` }),
        path: start,
        numConcurrentConnections: String(defaultConnections.sftp),
        accessType: sftpAccessTypes.internet,
        enforceSSL: certificateRules.enforce,
      },
      account: `${options['user'] ?? ''}@${options['host'] ?? ''}`,
    };
  },
  ftp(options, start) {
    const password = passwordOf(options, 'pass');
    if (password === undefined) return badPassword;
    if (isTrue(options['tls'])) return unsupported('REMOTE_IMPLICIT_TLS');
    const isSecure = isTrue(options['explicit_tls']);
    return {
      kind: 'link',
      family: 'ftp',
      provider: 'FTP',
      info: {
        server: addressOf(options),
        protocol: isSecure ? ftpProtocols.explicitTls : ftpProtocols.plain,
        username: options['user'] ?? '',
        password,
        path: start,
        numConcurrentConnections: String(defaultConnections.ftp),
        enforceSSL: isTrue(options['no_check_certificate']) ? certificateRules.ignore : certificateRules.enforce,
      },
      account: `${options['user'] ?? ''}@${options['host'] ?? ''}`,
    };
  },
  webdav(options, start) {
    const password = passwordOf(options, 'pass');
    if (password === undefined) return badPassword;
    if (options['bearer_token'] || options['bearer_token_command']) return unsupported('REMOTE_TOKEN');
    if (options['vendor'] === 'sharepoint-ntlm') return unsupported('REMOTE_NTLM');
    const base = withoutSlashes(options['url'] ?? '');
    const inside = start
      .split('/')
      .filter((part) => part !== '')
      .map(encodeURIComponent);
    const url = URL.parse(base);
    return {
      kind: 'link',
      family: 'webdav',
      provider: 'WebDAV',
      info: {
        server: [base, ...inside].join('/'),
        username: options['user'] ?? '',
        password,
        authType: 'basic',
        enforceSSL: certificateRules.enforce,
      },
      account: `${options['user'] ?? ''}@${url?.host ?? base}`,
    };
  },
};
