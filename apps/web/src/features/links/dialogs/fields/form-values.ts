import { type LinkDraft, secretMask } from '@sheaf/contract';
import type { Field, Form, Opened, Save, Setting, Values } from './field.ts';

/** What the fields hold when the dialog opens. */
export function initialValues(form: Form, setting: Setting, { name, stored }: Opened): Values {
  const presets = Object.fromEntries(form.fields(setting).map((field) => [field.name, field.preset ?? '']));
  const known = stored === undefined ? {} : (form.fromStored?.(stored) ?? stored);
  return { ...presets, ...known, name };
}

/** Whether every required one of these fields holds something. */
export const isComplete = (fields: readonly Field[], values: Values): boolean =>
  fields.every(({ name, required }) => required !== true || (values[name] ?? '').trim() !== '');

/** The first of these fields that is empty and can be typed into, else the first that can. */
export function firstToFill(fields: readonly Field[], values: Values): string | undefined {
  const open = fields.filter(({ kind, readOnly, advanced }) => kind !== 'switch' && readOnly !== true && advanced !== true);
  return (open.find(({ name }) => !values[name]) ?? open[0])?.name;
}

/**
 * The payload of a create, update or check call. The name goes along only when it differs from the one the dialog opened with; a save
 * that the user insists on says so and asks for no further check, one of an account linked already is checked all the same.
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

/** What a secret's field holds after typing: the first stroke into a stored secret replaces its mask as a whole. */
export const typedOver = (before: string, after: string): string => (before === secretMask ? after.replaceAll('•', '') : after);
