import type { Call, InputOf, MessageCode, ReplyOf, SavedFamily, SavedLink, Source, Verdict } from '@sheaf/contract';

/** Families whose links are made at the provider: their dialog only edits the name. */
export type AuthorizedFamily = 'oauth' | 'googlecloud';

/** What a dialog holds: the name, and the connection info field by field, all as text. */
export type Values = Readonly<Record<string, string>>;

export type Mode = 'create' | 'edit';

interface Common {
  /** Its name in the connection info; `name` is the link's own name. */
  readonly name: string;
  readonly label: string;
  readonly required?: boolean;
  readonly hint?: string;
  readonly readOnly?: boolean;
  /** Folded away under Advanced. */
  readonly advanced?: boolean;
  /** Shares its row with the next field. */
  readonly half?: boolean;
  /** What a new link starts with. */
  readonly preset?: string;
}

/** One field of a link dialog. */
export type Field = Common &
  (
    | { readonly kind: 'text'; readonly placeholder?: string }
    | { readonly kind: 'secret' }
    | { readonly kind: 'area'; readonly placeholder?: string }
    | { readonly kind: 'choice'; readonly choices: readonly string[] }
    | { readonly kind: 'switch'; readonly on: string; readonly off: string }
  );

/** What a family's fields depend on, and whom the link belongs to. */
export interface Setting {
  /** The catalogue's row, with what the server knows better. */
  readonly source: Source;
  readonly mode: Mode;
  /** The link to change; absent in create mode. */
  readonly userLinkId?: string;
  /** Present where the link belongs to an organisation. */
  readonly orgOid?: string;
  /** Names the grant of an authorization just made, which a save puts in the place of the link's own. */
  readonly stateId?: string;
}

/** How the saving of a family is checked: by a call of its own, by one that completes the info, or by the saving call itself. */
export type Check = 'validate' | 'verify' | 'whileSaving';

/** Sends a call of the API. */
export type Send = <C extends Call>(call: C, input: InputOf<C>) => Promise<ReplyOf<C>>;

/** What became of a save: a link, or the server's word that the connection does not work. */
export type Outcome = { readonly saved: SavedLink } | { readonly refused: Verdict };

/** What a save waits for: the check of the connection, the saving, or both in one call. */
export type Stage = 'checking' | 'saving' | 'both';

export interface Save {
  readonly form: Form;
  readonly setting: Setting;
  readonly opened: Opened;
  readonly values: Values;
  /** The user has read the warning and wants the link all the same, unchecked. */
  readonly insist: boolean;
  /** The user wants another link of an account that is linked already; it is checked all the same. */
  readonly again?: boolean;
  /** Hears what is being waited for. */
  readonly stage?: (stage: Stage) => void;
  /** Gives up: nothing is saved any more, and the server stops checking. */
  readonly signal?: AbortSignal;
  /** Hears the free name that a link saved without one gets. */
  readonly named?: (name: string) => void;
}

/** What the server told when the dialog opened: the link's name, or a free one for a new link, and the stored connection info. */
export interface Opened {
  readonly name: string;
  readonly stored?: Values;
}

/** Everything that is peculiar to the dialogs of one family. */
export interface Form {
  readonly family: SavedFamily | AuthorizedFamily;
  readonly fields: (setting: Setting) => readonly Field[];
  readonly check: Check;
  /** False where Sheaf cannot reach the server, so that it is saved unchecked. */
  readonly canCheck?: (values: Values) => boolean;
  /** The payload field that carries a changed name. */
  readonly nameField: 'serverName' | 'linkName';
  /** What the default name is asked for with; absent: the name starts empty. */
  readonly defaultNameOf?: string;
  /** The source type whose default name is fetched when a new link is saved without one. */
  readonly defaultNameOnSubmit?: string;
  readonly createLabel: string;
  /** The server as the failure texts name it. */
  readonly server: (source: Source) => string;
  /** Shown when the server could not validate the connection. */
  readonly refused: string;
  /** Whether a refused connection may be saved all the same. */
  readonly advisory: boolean;
  /** Whether an account that is linked already may be linked once more. */
  readonly continuesOnDuplicate?: true;
  /** The connection info from what was entered. */
  readonly info: (values: Values, setting: Setting) => Readonly<Record<string, string>>;
  /** The field at which an error of the catalogue is shown. */
  readonly faults: Partial<Record<MessageCode, string>>;
  /** The user may trust a certificate that is not valid, or not valid any more. */
  readonly trustsCertificates?: true;
  /** Takes the place of the source's own sentence under the title. */
  readonly sentence?: string;
  /** The way out stands under the button instead of beside it. */
  readonly cancelBelow?: true;
  /** An edit can only change the name, so that one that does not is no edit. */
  readonly onlyNames?: true;
  /** Saves in a way of its own, instead of by the family's calls. */
  readonly saves?: (send: Send, save: Save) => Promise<Outcome>;
  /** Stored connection info as the dialog holds it, where the two differ. */
  readonly fromStored?: (stored: Values) => Values;
  /** Current values of the folded fields, in a few words. */
  readonly summary?: (values: Values) => string;
}

/** The link's own name, as the first field of every dialog. */
export const nameField = (required: boolean): Field => ({ kind: 'text', name: 'name', label: 'Name', required });

/** Text of a refused connection that may be saved all the same. */
export const mayContinue = (server: string): string =>
  `${server} could not validate these credentials. You may still be able to connect. Do you want to continue?`;

/** Takes the named values, leaving out what the dialog does not know. */
export function pick(values: Values, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])));
}

/** Faults in a name, which every dialog shows at its name field. */
export const nameFaults = { DUPLICATE_LINK_NAME: 'name', INVALID_NAME: 'name', NAME_TOO_LONG: 'name' } as const;
