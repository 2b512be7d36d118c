/** Differences between the three kinds of link. */
export interface Flavour {
  /** The provider's name in the catalogue. */
  readonly provider: string;
  /** Accounts that may sign in: https://learn.microsoft.com/entra/identity-platform/v2-protocols#endpoints */
  readonly tenant: 'consumers' | 'organizations';
  /** The account's own drive, or its sites' document libraries. */
  readonly shows: 'drive' | 'sites';
  readonly scopes: readonly string[];
}

/** `Files.ReadWrite.All` covers everything that the account can access: its own files, folders shared with it, and its sites' libraries. */
const files = ['offline_access', 'User.Read', 'Files.ReadWrite.All'] as const;

const flavours: readonly Flavour[] = [
  { provider: 'OneDrive', tenant: 'consumers', shows: 'drive', scopes: files },
  { provider: 'OneDriveForBusiness', tenant: 'organizations', shows: 'drive', scopes: files },
  { provider: 'Sharepoint', tenant: 'organizations', shows: 'sites', scopes: [...files, 'Sites.Read.All'] },
];

/** Returns the flavour of a catalogue provider, ignoring case. Throws for unknown ones, which never get here. */
export function flavourOf(provider: string): Flavour {
  const found = flavours.find((flavour) => flavour.provider.toLowerCase() === provider.toLowerCase());
  if (!found) throw new Error(`${provider} is no source of Microsoft Graph`);
  return found;
}
