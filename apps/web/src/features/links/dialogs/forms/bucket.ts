import { addGoogleCloudLink, directoryStructures } from '@sheaf/contract';
import {
  type Field,
  type Form,
  type Outcome,
  type Save,
  type Send,
  nameFaults,
  nameField,
  unnamedTexts,
} from '#/features/links/dialogs/fields/field.ts';

const common: readonly Field[] = [
  nameField(false),
  { kind: 'text', name: 'bucketName', label: 'Bucket name' },
  {
    kind: 'choice',
    name: 'directoryStructure',
    label: 'Directory structure',
    choices: [directoryStructures.enhanced, directoryStructures.simple],
    preset: directoryStructures.simple,
    advanced: true,
    hint: 'ENHANCED keeps empty folders and modification times in the bucket. It cannot be changed later.',
  },
];
const key: Field = {
  kind: 'area',
  name: 'serviceAccountKey',
  label: 'Service account key',
  placeholder: '{ "type": "service_account", … }',
  hint: 'The JSON that Google Cloud gave you for the service account.',
};

/** The bucket of a Google Cloud link, after an authorization or together with a service account's key. */
export function bucketForm(granted: { readonly stateId?: string; readonly handoffToken?: string }): Form {
  const { stateId, handoffToken } = granted;
  return {
    family: 'googlecloud',
    check: 'whileSaving',
    nameField: 'linkName',
    createLabel: 'Link',
    sentence: stateId === undefined ? 'Sheaf opens one bucket with this key.' : 'Sheaf is authorized. Which bucket should it open?',
    ...unnamedTexts,
    advisory: false,
    continuesOnDuplicate: true,
    fields: () => (stateId === undefined ? [...common.slice(0, 2), key, ...common.slice(2)] : common),
    info: () => ({}),
    faults: { ...nameFaults, BUCKET_NOT_FOUND: 'bucketName', INVALID_KEY: 'serviceAccountKey', INVALID_SIGNATURE: 'serviceAccountKey' },
    summary: (values) => values['directoryStructure'] ?? '',
    saves: async (send: Send, { values, insist, setting: { orgOid } }: Save): Promise<Outcome> => {
      const { name = '', bucketName = '', directoryStructure = '', serviceAccountKey } = values;
      const saved = await send(addGoogleCloudLink, {
        bucketName: bucketName.trim(),
        directoryStructure,
        ...(name.trim() !== '' && { name: name.trim() }),
        ...(stateId === undefined ? { serviceAccountKey: serviceAccountKey ?? '' } : { stateId }),
        ...(handoffToken !== undefined && { handoffToken }),
        ...(orgOid !== undefined && { orgOid }),
        ...(insist && { continueAnyway: true }),
      });
      return { saved };
    },
  };
}
