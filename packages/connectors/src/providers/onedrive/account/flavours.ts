/** What tells the three kinds of link apart. */
export interface Flavour {
  /** The provider's name in the catalogue. */
  readonly provider: string;
  /** Whose accounts may sign in: https://learn.microsoft.com/entra/identity-platform/v2-protocols#endpoints */
  readonly tenant: 'consumers' | 'organizations';
  /** The account's own drive, or the libraries of its sites. */
  readonly shows: 'drive' | 'sites';
  readonly scopes: readonly string[];
}

/** `Files.ReadWrite.All` reaches what the account itself may reach: its own files, folders that others share with it, and libraries of its sites. */
const files = ['offline_access', 'User.Read', 'Files.ReadWrite.All'] as const;

const flavours: readonly Flavour[] = [
  { provider: 'OneDrive', tenant: 'consumers', shows: 'drive', scopes: files },
  { provider: 'OneDriveForBusiness', tenant: 'organizations', shows: 'drive', scopes: files },
  { provider: 'Sharepoint', tenant: 'organizations', shows: 'sites', scopes: [...files, 'Sites.Read.All'] },
];

/** The flavour of a provider of the catalogue, whatever the case of its letters. Throws for others, which never lead here. */
export function flavourOf(provider: string): Flavour {
  const found = flavours.find((flavour) => flavour.provider.toLowerCase() === provider.toLowerCase());
  if (!found) throw new Error(`${provider} is no source of Microsoft Graph`);
  return found;
}
