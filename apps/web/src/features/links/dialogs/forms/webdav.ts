import { certificateRules, webdavAuthTypes } from '@sheaf/contract';
import { type Field, type Form, type Setting, nameFaults, nameField, pick } from '#/features/links/dialogs/fields/field.ts';
import { screenText } from '#/lib/http/screen-text.ts';
import { acceptedCertificate } from './certificate.ts';
import { login } from './login.ts';

/** WebDAV: any server, or a named provider with a fixed address. Checked while saving. */
export const webdav: Form = {
  family: 'webdav',
  check: 'whileSaving',
  nameField: 'linkName',
  defaultNameOf: 'WebDAV',
  createLabel: 'Link',
  trustsCertificates: true,
  unreachable: (fault, { title }) => screenText('NO_CONNECTION_TO_SERVER', { server: title, fault }),
  refused: () => '',
  advisory: false,
  fields: (setting) => [
    nameField(false),
    {
      kind: 'text',
      name: 'server',
      label: 'Server',
      required: true,
      placeholder: 'https://dav.example.net/files',
      preset: setting.source.serverUrl ?? '',
      readOnly: setting.source.serverFixed === true,
    },
    ...login,
    { kind: 'choice', name: 'authType', label: 'Auth type', choices: webdavAuthTypes, preset: webdavAuthTypes[0] },
    ...validSsl(setting),
    ...destination(setting),
  ],
  info: (values, { source }) => {
    const { destinationUrl, ...info } = pick(values, ['server', 'username', 'password', 'authType', 'enforceSSL', 'destinationUrl']);
    const start = source.serverFixed === true ? ownAddress(source.destinationUrl ?? '', info['username'] ?? '') : destinationUrl;
    return { enforceSSL: certificateRules.enforce, ...info, ...acceptedCertificate(values), ...(start ? { destinationUrl: start } : {}) };
  },
  faults: {
    ...nameFaults,
    MISSING_HOST: 'server',
    NO_SCHEMA_SUPPLIED: 'server',
    MISSING_USER_NAME: 'username',
    AUTH_TYPE_MISMATCH: 'authType',
    ITEM_NOT_FOUND: 'server',
  },
  summary: ({ destinationUrl }) => destinationUrl || 'start at the server address',
};

/** The provider's address template with the user's name inserted. */
const ownAddress = (template: string, username: string): string => template.replace('{username}', encodeURIComponent(username));

const isGeneric = ({ source }: Setting): boolean => source.provider === 'WebDAV';

function validSsl(setting: Setting): Field[] {
  if (!isGeneric(setting)) return [];
  return [
    {
      kind: 'switch',
      name: 'enforceSSL',
      label: 'Valid SSL',
      on: certificateRules.enforce,
      off: certificateRules.ignore,
      preset: certificateRules.enforce,
      hint: 'Refuse a server whose certificate is not valid. Without it, only the certificate seen first is accepted.',
    },
  ];
}

function destination(setting: Setting): Field[] {
  const { destinationUrl, serverFixed } = setting.source;
  if (serverFixed === true && destinationUrl === undefined) return [];
  return [
    {
      kind: 'text',
      name: 'destinationUrl',
      label: 'Destination URL',
      placeholder: 'https://dav.example.net/files/mara',
      hint: 'Where to start, if not at the server address.',
      preset: destinationUrl ?? '',
      readOnly: serverFixed === true,
      advanced: true,
    },
  ];
}
