import { certificateRules, concurrentConnectionChoices, defaultConnections, ftpProtocols } from '@sheaf/contract';
import { type Form, advisoryTexts, nameFaults, nameField, pick } from '#/features/links/dialogs/fields/field.ts';
import { acceptedCertificate } from './certificate.ts';
import { login } from './login.ts';

/** FTP and FTP with explicit TLS. */
export const ftp: Form = {
  family: 'ftp',
  check: 'validate',
  nameField: 'serverName',
  defaultNameOf: 'FTP',
  createLabel: 'Link FTP',
  trustsCertificates: true,
  ...advisoryTexts('FTP'),
  advisory: true,
  continuesOnDuplicate: true,
  fields: () => [
    nameField(false),
    { kind: 'text', name: 'server', label: 'Server', required: true, placeholder: 'ftp.example.net', hint: 'Without a port, 21 is used.' },
    {
      kind: 'choice',
      name: 'protocol',
      label: 'Protocol',
      choices: [ftpProtocols.plain, ftpProtocols.explicitTls],
      preset: ftpProtocols.explicitTls,
    },
    ...login,
    {
      kind: 'switch',
      name: 'enforceSSL',
      label: 'Valid SSL',
      on: certificateRules.enforce,
      off: certificateRules.ignore,
      preset: certificateRules.enforce,
      hint: 'Refuse a server whose certificate is not valid. Without it, only the certificate seen first is accepted.',
    },
    {
      kind: 'choice',
      name: 'numConcurrentConnections',
      label: 'Concurrent connections',
      choices: concurrentConnectionChoices.map(String),
      preset: String(defaultConnections.ftp),
      advanced: true,
    },
    { kind: 'text', name: 'path', label: 'Path', placeholder: '/', advanced: true },
  ],
  info: (values) => ({
    enforceSSL: certificateRules.enforce,
    ...pick(values, ['server', 'protocol', 'username', 'password', 'numConcurrentConnections', 'path', 'enforceSSL']),
    ...acceptedCertificate(values),
  }),
  faults: { ...nameFaults, MISSING_HOST: 'server', MISSING_USER_NAME: 'username' },
  summary: ({ numConcurrentConnections: count, path }) =>
    `${count} ${count === '1' ? 'connection' : 'connections'}, start at ${path || '/'}`,
};
