import { directoryStructures, storageClasses } from '@sheaf/contract';
import { type Field, type Form, type Setting, nameFaults, nameField, pick } from '#/features/links/dialogs/fields/field.ts';
import { screenText } from '#/lib/http/screen-text.ts';

const isAzure = ({ source }: Setting): boolean => source.provider === 'AzureStorage';

/** The dialog of Amazon S3 and compatible services; Azure storage uses it with its own hints. */
export const s3: Form = {
  family: 's3',
  check: 'verify',
  nameField: 'linkName',
  createLabel: 'Link',
  unreachable: (fault) => screenText('NO_CONNECTION_TO_SERVER', { server: 'S3', fault }),
  refused: () => screenText('SERVER_REFUSED', { server: 'S3' }),
  advisory: false,
  fields: (setting) => [nameField(true), ...hostAndBucket(setting), ...keys(setting), ...storage(setting)],
  info: (values) => pick(values, ['key', 'secret', 'host', 'bucketName', 'defaultStorageClass', 'directoryStructure']),
  faults: {
    ...nameFaults,
    MISSING_HOST: 'host',
    BUCKET_NOT_FOUND: 'bucketName',
    INVALID_KEY: 'key',
    INVALID_SIGNATURE: 'secret',
  },
  summary: (values) => [values['defaultStorageClass'], values['directoryStructure']].filter(Boolean).join(', '),
};

function hostAndBucket(setting: Setting): Field[] {
  const { source, mode } = setting;
  const hint = isAzure(setting) ? 'Non-AWS only. Empty for the public endpoint of the account.' : 'Non-AWS only';
  return [
    {
      kind: 'text',
      name: 'host',
      label: 'Host',
      placeholder: isAzure(setting) ? 'account.blob.core.windows.net' : 's3.example.net',
      hint,
      preset: source.serverUrl ?? '',
      readOnly: source.serverFixed === true,
    },
    {
      kind: 'text',
      name: 'bucketName',
      label: 'Bucket name',
      required: true,
      readOnly: mode === 'edit',
      ...(isAzure(setting) ? { hint: 'The container' } : {}),
    },
  ];
}

function keys(setting: Setting): Field[] {
  const azure = isAzure(setting);
  return [
    { kind: 'text', name: 'key', label: 'Access key id', required: true, ...(azure ? { hint: 'The name of the storage account' } : {}) },
    { kind: 'secret', name: 'secret', label: 'Secret', required: true, ...(azure ? { hint: 'One of the keys of the account' } : {}) },
  ];
}

function storage({ source, mode }: Setting): Field[] {
  const structure: Field = {
    kind: 'choice',
    name: 'directoryStructure',
    label: 'Directory structure',
    choices: [directoryStructures.enhanced, directoryStructures.simple],
    preset: directoryStructures.simple,
    readOnly: mode === 'edit',
    advanced: true,
    hint: 'ENHANCED keeps empty folders and modification times in the bucket. It cannot be changed later.',
  };
  if (source.storageClasses === undefined) return [structure];
  return [
    {
      kind: 'choice',
      name: 'defaultStorageClass',
      label: 'Storage class',
      choices: source.storageClasses,
      preset: storageClasses.standard,
      advanced: true,
    },
    structure,
  ];
}
