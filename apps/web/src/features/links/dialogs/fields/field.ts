import type { Call, InputOf, MessageCode, ReplyOf, SavedFamily, SavedLink, Source, Verdict } from '@sheaf/contract';
import { screenText } from '#/lib/http/screen-text.ts';

/** Families whose links are created at the provider: their dialog edits only the name. */
export type AuthorizedFamily = 'oauth' | 'googlecloud';

/** Values of a dialog: the name and the connection info by field, all as text. */
export type Values = Readonly<Record<string, string>>;

export type Mode = 'create' | 'edit';

interface Common {
  /** Key in the connection info; `name` is the link's own name. */
  readonly name: string;
  readonly label: string;
  readonly required?: boolean;
  readonly hint?: string;
  readonly readOnly?: boolean;
  /** Collapsed under Advanced. */
  readonly advanced?: boolean;
  /** Shares its row with the next field. */
  readonly half?: boolean;
  /** Initial value for a new link. */
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

/** What a family's fields depend on, and the link's owner. */
export interface Setting {
  /** The catalogue's row, with the server's settings applied. */
  readonly source: Source;
  readonly mode: Mode;
  /** The link to change; absent in create mode. */
  readonly userLinkId?: string;
  /** Set when the link belongs to an organisation. */
  readonly orgOid?: string;
  /** The pending grant of an authorization, which a save puts in place of the link's own. */
  readonly stateId?: string;
}

/** How a family's save is checked: by a separate call, by one that completes the info, or by the saving call itself. */
export type Check = 'validate' | 'verify' | 'whileSaving';

/** Sends a call of the API. */
export type Send = <C extends Call>(call: C, input: InputOf<C>) => Promise<ReplyOf<C>>;

/** Outcome of a save: a link, or the server's verdict that the connection does not work. */
export type Outcome = { readonly saved: SavedLink } | { readonly refused: Verdict };

/** Stage of a save: the check, the saving, or both in one call. */
export type Stage = 'checking' | 'saving' | 'both';

export interface Save {
  readonly form: Form;
  readonly setting: Setting;
  readonly opened: Opened;
  readonly values: Values;
  /** The user has read the warning and saves without a check. */
  readonly insist: boolean;
  /** The user wants another link of a linked account; it is checked. */
  readonly again?: boolean;
  /** Called with the current stage. */
  readonly stage?: (stage: Stage) => void;
  /** Cancels: nothing is saved, and the server stops checking. */
  readonly signal?: AbortSignal;
  /** Called with the free name of a link saved without one. */
  readonly named?: (name: string) => void;
}

/** The server's data for the dialog: the link's name, or a free one for a new link, and the stored connection info. */
export interface Opened {
  readonly name: string;
  readonly stored?: Values;
}

/** Everything specific to one family's dialogs. */
export interface Form {
  readonly family: SavedFamily | AuthorizedFamily;
  readonly fields: (setting: Setting) => readonly Field[];
  readonly check: Check;
  /** False where Sheaf cannot reach the server, so that it is saved unchecked. */
  readonly canCheck?: (values: Values) => boolean;
  /** The payload field of a changed name. */
  readonly nameField: 'serverName' | 'linkName';
  /** Source type for the default name; absent: the name starts empty. */
  readonly defaultNameOf?: string;
  /** Source type for the default name that is fetched when a new link is saved without one. */
  readonly defaultNameOnSubmit?: string;
  readonly createLabel: string;
  /** Text for a call that got no answer; `fault` says what to do. */
  readonly unreachable: (fault: string, source: Source) => string;
  /** Text for a connection that could not be validated. */
  readonly refused: () => string;
  /** Whether a refused connection may be saved anyway. */
  readonly advisory: boolean;
  /** Whether a linked account may be linked again. */
  readonly continuesOnDuplicate?: true;
  /** Builds the connection info from the input. */
  readonly info: (values: Values, setting: Setting) => Readonly<Record<string, string>>;
  /** The field that shows an error of the catalogue. */
  readonly faults: Partial<Record<MessageCode, string>>;
  /** The user may trust an invalid or expired certificate. */
  readonly trustsCertificates?: true;
  /** Replaces the source's own sentence below the title. */
  readonly sentence?: string;
  /** Cancel is below the button instead of next to it. */
  readonly cancelBelow?: true;
  /** An edit can change only the name, so one that does not is no edit. */
  readonly onlyNames?: true;
  /** Saves in its own way instead of by the family's calls. */
  readonly saves?: (send: Send, save: Save) => Promise<Outcome>;
  /** Converts stored connection info to the dialog's values. */
  readonly fromStored?: (stored: Values) => Values;
  /** Current values of the collapsed fields, in a few words. */
  readonly summary?: (values: Values) => string;
}

/** The link's name, the first field of every dialog. */
export const nameField = (required: boolean): Field => ({ kind: 'text', name: 'name', label: 'Name', required });

/** Texts of a form about a server of that name, whose links may be saved although it refuses. */
export const advisoryTexts = (server: string) => ({
  unreachable: (fault: string) => screenText('NO_CONNECTION_TO_SERVER', { server, fault }),
  refused: () => screenText('SERVER_MAY_CONTINUE', { server }),
});

/** Texts of a form that names no server. */
export const unnamedTexts = {
  unreachable: (fault: string) => screenText('NO_CONNECTION', { fault }),
  refused: () => screenText('UNNAMED_MAY_CONTINUE', {}),
};

/** Picks the named values, omitting those that the dialog does not know. */
export function pick(values: Values, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])));
}

/** Errors about a name, which every dialog shows at its name field. */
export const nameFaults = { DUPLICATE_LINK_NAME: 'name', INVALID_NAME: 'name', NAME_TOO_LONG: 'name' } as const;
