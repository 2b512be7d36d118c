import { type Form, mayContinue, nameFaults, nameField, pick } from '#/features/links/dialogs/fields/field.ts';
import { login } from './login.ts';

/** The Sheaf file server, with user name and password. */
export const ofs: Form = {
  family: 'ofs',
  check: 'validate',
  nameField: 'serverName',
  defaultNameOf: 'OFS',
  createLabel: 'Link Sheaf File Server',
  server: () => 'the file server',
  refused: mayContinue('The file server'),
  advisory: true,
  fields: () => [
    nameField(false),
    { kind: 'text', name: 'server', label: 'Server', required: true, placeholder: 'https://files.example.net' },
    ...login,
  ],
  info: (values) => pick(values, ['server', 'username', 'password']),
  faults: { ...nameFaults, MISSING_HOST: 'server', NO_SCHEMA_SUPPLIED: 'server', MISSING_USER_NAME: 'username' },
};
