import { type Form, nameFaults, nameField, pick } from '#/features/links/dialogs/fields/field.ts';
import { screenText } from '#/lib/http/screen-text.ts';

/** A gateway, linked with its JSON. Checked while saving. */
export const sheafgateway: Form = {
  family: 'sheafgateway',
  check: 'whileSaving',
  nameField: 'linkName',
  defaultNameOf: 'SheafGateway',
  createLabel: 'Link',
  unreachable: (fault) => screenText('NO_CONNECTION_TO_GATEWAY', { fault }),
  refused: () => '',
  advisory: false,
  fields: () => [
    nameField(true),
    { kind: 'text', name: 'server', label: 'Server', required: true, placeholder: 'https://gateway.example.net' },
    { kind: 'area', name: 'authjson', label: 'Connection JSON', required: true, placeholder: '{ … }' },
  ],
  info: (values) => pick(values, ['server', 'authjson']),
  faults: {
    ...nameFaults,
    MISSING_HOST: 'server',
    NO_SCHEMA_SUPPLIED: 'server',
    INVALID_CONNECTION_JSON: 'authjson',
    INVALID_KEY: 'authjson',
  },
};
