import { type Form, nameFaults, nameField, pick } from '#/features/links/dialogs/fields/field.ts';
import { screenText } from '#/lib/http/screen-text.ts';
import { login } from './login.ts';

/** The Sheaf file server, with user name and password. */
export const ofs: Form = {
  family: 'ofs',
  check: 'validate',
  nameField: 'serverName',
  defaultNameOf: 'OFS',
  createLabel: 'Link Sheaf File Server',
  unreachable: (fault) => screenText('NO_CONNECTION_TO_FILE_SERVER', { fault }),
  refused: () => screenText('FILE_SERVER_MAY_CONTINUE', {}),
  advisory: true,
  fields: () => [
    nameField(false),
    { kind: 'text', name: 'server', label: 'Server', required: true, placeholder: 'https://files.example.net' },
    ...login,
  ],
  info: (values) => pick(values, ['server', 'username', 'password']),
  faults: { ...nameFaults, MISSING_HOST: 'server', NO_SCHEMA_SUPPLIED: 'server', MISSING_USER_NAME: 'username' },
};
