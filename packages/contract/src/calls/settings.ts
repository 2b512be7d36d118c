import { type Static, Type } from 'typebox';
import { call } from '../call.ts';

const text = Type.String();
const optional = Type.Optional;

/** A problem in the settings that needs the operator's attention. */
export const settingAdvice = [
  'plainHttp',
  'noMail',
  'presetSender',
  'keyInFolder',
  'noProxies',
  'noBackups',
  'keyApart',
  'openNetworks',
  'sandboxBilling',
  'quietLog',
  'loudLog',
] as const;
export type SettingAdvice = (typeof settingAdvice)[number];

/** Origin of a setting's value. */
export const settingOrigins = ['environment', 'file', 'preset'] as const;
export type SettingOrigin = (typeof settingOrigins)[number];

/** A setting of the installation, without secrets. */
export const OperatedSetting = Type.Object({
  name: text,
  about: text,
  origin: Type.Unsafe<SettingOrigin>({ type: 'string', enum: [...settingOrigins] }),
  /** Absent when it is secret or empty; an address has no user, password and query. */
  value: optional(text),
  isSecret: Type.Boolean(),
  /** Whether it has any value. */
  isSet: Type.Boolean(),
  /** Effective value, if the value is empty or `auto`. */
  effective: optional(text),
  advice: optional(Type.Unsafe<SettingAdvice>({ type: 'string', enum: [...settingAdvice] })),
});
export type OperatedSetting = Static<typeof OperatedSetting>;

export const listSettings = call({
  method: 'GET',
  path: '/rest/operator/settings',
  input: Type.Object({}),
  reply: Type.Object({
    settings: Type.Array(OperatedSetting),
    /** Environment variables that look like settings but are unknown. */
    unknown: Type.Array(text),
  }),
  summary: 'For the operator: all settings of the installation, where each comes from, and what is wrong with it; no secrets.',
});
