import { type Form, advisoryTexts, nameFaults, pick } from '#/features/links/dialogs/fields/field.ts';
import { login } from './login.ts';

/** Oracle Documents. The name may stay empty: the server then picks a free one. */
export const oracledocuments: Form = {
  family: 'oracledocuments',
  check: 'validate',
  nameField: 'serverName',
  defaultNameOnSubmit: 'OracleDocuments',
  createLabel: 'Link Oracle Documents',
  ...advisoryTexts('Oracle Documents'),
  advisory: true,
  continuesOnDuplicate: true,
  cancelBelow: true,
  fields: () => [
    { kind: 'text', name: 'name', label: 'Name', placeholder: 'My Oracle Documents Server' },
    { kind: 'text', name: 'url', label: 'Server (URL)', required: true, placeholder: 'https://documents.example.com' },
    ...login,
  ],
  info: (values) => pick(values, ['url', 'username', 'password']),
  faults: { ...nameFaults, MISSING_HOST: 'url', NO_SCHEMA_SUPPLIED: 'url', MISSING_USER_NAME: 'username' },
};
