import type { OperatedSetting, ReplyOf, SettingAdvice, listSettings } from '@sheaf/contract';
import type { Operators } from '#/identity/admission/operators.ts';
import type { Config } from '#/platform/config/config.ts';

interface Deps {
  readonly operators: Pick<Operators, 'require'>;
  readonly config: Config;
}

export type OperatedSettings = ReturnType<typeof createOperatedSettings>;

/** The settings as operators see them. Rejects with NOT_OPERATOR for everybody else. */
export const createOperatedSettings = ({ operators, config }: Deps) => ({
  async list(userId: string): Promise<ReplyOf<typeof listSettings>> {
    await operators.require(userId);
    return { settings: describe(config), unknown: [...config.unknown] };
  },
});

/** All settings with their effective values, and advice where one needs attention. */
export function describe(config: Config): OperatedSetting[] {
  const advice = adviceOn(config);
  const effective = effectsOf(config);
  return config.shown.map((row) => {
    const [comesTo, advised] = [effective[row.name], advice[row.name]];
    return {
      ...row,
      ...(comesTo !== undefined && comesTo !== row.value && { effective: comesTo }),
      ...(advised !== undefined && { advice: advised }),
    };
  });
}

const effectsOf = ({ publicUrl, signup, privateNetworks }: Config): Readonly<Record<string, string | undefined>> => ({
  SHEAF_PUBLIC_URL: publicUrl,
  SHEAF_SIGNUP: signup,
  SHEAF_PRIVATE_NETWORKS: typeof privateNetworks === 'string' ? privateNetworks : undefined,
});

/** Advice by the name of the setting. Invalid values stop the start, and never come here. */
function adviceOn(config: Config): Readonly<Record<string, SettingAdvice | undefined>> {
  const { publicUrl, isPrivate, smtpUrl, databaseUrl, secretKey, trustedProxies, backup, backupPassphrase, privateNetworks } = config;
  const when = (isSo: boolean, advice: SettingAdvice): SettingAdvice | undefined => (isSo ? advice : undefined);
  const isPreset = (name: string): boolean => config.shown.some((row) => row.name === name && row.origin === 'preset');
  const log = config.logLevel;
  return {
    SHEAF_PUBLIC_URL: when(publicUrl.startsWith('http:') && !isPrivate, 'plainHttp'),
    SHEAF_SMTP_URL: when(smtpUrl === '' && !isPrivate, 'noMail'),
    SHEAF_MAIL_FROM: when(smtpUrl !== '' && isPreset('SHEAF_MAIL_FROM'), 'presetSender'),
    // Instances of one database need the same key.
    SHEAF_SECRET_KEY: when(databaseUrl !== '' && secretKey === undefined, 'keyInFolder'),
    // Sheaf does not speak https itself.
    SHEAF_TRUSTED_PROXIES: when(publicUrl.startsWith('https:') && trustedProxies.length === 0, 'noProxies'),
    SHEAF_BACKUP: when(backup === 'off', 'noBackups'),
    SHEAF_BACKUP_PASSPHRASE: when(backup !== 'off' && backupPassphrase === '', 'keyApart'),
    SHEAF_PRIVATE_NETWORKS: when(privateNetworks === 'allow' && !isPrivate, 'openNetworks'),
    SHEAF_BILLING: when(config.billing === 'sandbox' && !isPrivate, 'sandboxBilling'),
    SHEAF_LOG_LEVEL: when(log === 'silent' || log === 'fatal', 'quietLog') ?? when(log === 'debug', 'loudLog'),
  };
}
