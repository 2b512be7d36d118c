import { type LinkDraft, secretMask } from '@sheaf/contract';
import type { Field, Form, Opened, Save, Setting, Values } from './field.ts';

/** Values of the fields when the dialog opens. */
export function initialValues(form: Form, setting: Setting, { name, stored }: Opened): Values {
  const presets = Object.fromEntries(form.fields(setting).map((field) => [field.name, field.preset ?? '']));
  const known = stored === undefined ? {} : (form.fromStored?.(stored) ?? stored);
  return { ...presets, ...known, name };
}

/** Whether every required field has a value. */
export const isComplete = (fields: readonly Field[], values: Values): boolean =>
  fields.every(({ name, required }) => required !== true || (values[name] ?? '').trim() !== '');

/** The first empty editable field, else the first editable one. */
export function firstToFill(fields: readonly Field[], values: Values): string | undefined {
  const open = fields.filter(({ kind, readOnly, advanced }) => kind !== 'switch' && readOnly !== true && advanced !== true);
  return (open.find(({ name }) => !values[name]) ?? open[0])?.name;
}

/**
 * The payload of a create, update or check call. Includes the name only when it was changed; a save that the user insists on skips the check, one of
 * a linked account does not.
 */
export function draftOf({ form, setting, values, insist, again = false }: Save, opened: Opened): LinkDraft {
  const name = (values['name'] ?? '').trim();
  return {
    connectionInfo: JSON.stringify(form.info(values, setting)),
    provider: setting.source.provider,
    ...(name === opened.name ? {} : { [form.nameField]: name }),
    ...(setting.userLinkId === undefined ? {} : { userLinkId: setting.userLinkId }),
    ...(setting.orgOid === undefined ? {} : { orgOid: setting.orgOid }),
    ...(form.check === 'whileSaving' ? { validateConnection: !insist } : {}),
    ...(insist || again ? { continueAnyway: true } : {}),
  };
}

/** Value of a secret's field after typing: the first keystroke replaces the mask as a whole. */
export const typedOver = (before: string, after: string): string => (before === secretMask ? after.replaceAll('•', '') : after);
