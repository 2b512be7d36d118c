import { allowWriteChoices } from '@sheaf/contract';
import { type Form, nameFaults, nameField, pick } from '#/features/links/dialogs/fields/field.ts';
import { screenText } from '#/lib/http/screen-text.ts';

/** Backblaze B2, with an application key. Write access can be changed once the link exists. */
export const b2: Form = {
  family: 'b2',
  check: 'verify',
  nameField: 'linkName',
  createLabel: 'Link',
  unreachable: (fault) => screenText('NO_CONNECTION_TO_SERVER', { server: 'b2', fault }),
  refused: () => screenText('SERVER_REFUSED', { server: 'b2' }),
  advisory: false,
  fields: ({ mode }) => [
    nameField(true),
    { kind: 'text', name: 'accountId', label: 'Account ID/Key ID', required: true },
    { kind: 'secret', name: 'applicationKey', label: 'Application Key', required: true },
    ...(mode === 'edit'
      ? [
          {
            kind: 'switch',
            name: 'allowWrite',
            label: 'Allow Writes',
            on: allowWriteChoices.allow,
            off: allowWriteChoices.disallow,
            hint: 'When this is off, Sheaf changes nothing in these buckets.',
          } as const,
        ]
      : []),
  ],
  info: (values) => ({ allowWrite: allowWriteChoices.allow, ...pick(values, ['accountId', 'applicationKey', 'allowWrite']) }),
  faults: { ...nameFaults, INVALID_KEY: 'accountId', INVALID_SIGNATURE: 'applicationKey' },
};
