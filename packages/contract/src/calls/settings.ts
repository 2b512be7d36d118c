import { type Static, Type } from 'typebox';
import { call } from '../call.ts';

const text = Type.String();
const optional = Type.Optional;

/** What an operator should see to in the settings. */
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

/** Where a setting's value comes from. */
export const settingOrigins = ['environment', 'file', 'preset'] as const;
export type SettingOrigin = (typeof settingOrigins)[number];

/** A setting of the installation, without its secrets. */
export const OperatedSetting = Type.Object({
  name: text,
  about: text,
  origin: Type.Unsafe<SettingOrigin>({ type: 'string', enum: [...settingOrigins] }),
  /** Absent when it is secret or empty; an address has no user, password and query. */
  value: optional(text),
  isSecret: Type.Boolean(),
  /** Whether it has any value. */
  isSet: Type.Boolean(),
  /** What it comes to, where the value only says `auto` or nothing. */
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
    /** Names in the environment that look like settings but are none. */
    unknown: Type.Array(text),
  }),
  summary: 'For the operator: all settings of the installation, where each comes from, and what is wrong with it; no secrets.',
});
