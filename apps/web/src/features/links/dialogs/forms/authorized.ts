import { manageCalls, orgManageCalls } from '@sheaf/contract';
import { type Form, type Outcome, type Save, type Send, nameFaults, unnamedTexts } from '#/features/links/dialogs/fields/field.ts';

/** Common to all links made by authorization: only the name is editable, and the check asks the provider whether the grant is still valid. */
const authorized = {
  check: 'validate',
  nameField: 'serverName',
  createLabel: 'Authorize',
  ...unnamedTexts,
  advisory: true,
  continuesOnDuplicate: true,
  fields: () => [{ kind: 'text', name: 'name', label: 'Name' }],
  info: () => ({}),
  faults: nameFaults,
  onlyNames: true,
  saves: rename,
} as const satisfies Omit<Form, 'family'>;

export const oauth: Form = { ...authorized, family: 'oauth' };
export const googlecloud: Form = { ...authorized, family: 'googlecloud' };

async function rename(send: Send, { setting, values, insist }: Save): Promise<Outcome> {
  const { userLinkId = '', orgOid, stateId } = setting;
  const calls = orgOid === undefined ? manageCalls : orgManageCalls;
  const draft = {
    userLinkId,
    serverName: (values['name'] ?? '').trim(),
    ...(orgOid === undefined ? {} : { orgOid }),
    ...(stateId === undefined ? {} : { stateId }),
  };
  // A new grant needs no check: saving verifies that it belongs to the same account.
  if (!insist && stateId === undefined) {
    const verdict = await send(calls.validate, draft);
    if (!verdict.isValid) return { refused: verdict };
  }
  return { saved: await send(calls.update, draft) };
}
