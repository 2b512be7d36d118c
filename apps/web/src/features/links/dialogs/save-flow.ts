import {
  type Call,
  type FamilyCalls,
  type InputOf,
  type LinkDraft,
  type ReplyOf,
  type SavedLink,
  type Verdict,
  familyCalls,
  orgFamilyCalls,
} from '@sheaf/contract';
import type { Form, Setting, Values } from './field.ts';
import { type Opened, draftOf } from './form-values.ts';

/** Sends a call of the API. */
export type Send = <C extends Call>(call: C, input: InputOf<C>) => Promise<ReplyOf<C>>;

/** What became of a save: a link, or the server's word that the connection does not work. */
export type Outcome = { readonly saved: SavedLink } | { readonly refused: Verdict };

export interface Save {
  readonly form: Form;
  readonly setting: Setting;
  readonly opened: Opened;
  readonly values: Values;
  /** The user has read the warning and wants the link all the same. */
  readonly insist: boolean;
}

/**
 * Checks a connection the way its family does and saves it: `validate` families save what was entered, `verify` families what the
 * check has completed, the others are checked by the saving call. Rejects with what `send` rejects with.
 */
export async function saveLink(send: Send, { form, setting, opened, values, insist }: Save): Promise<Outcome> {
  const { validate, verify, add, update }: FamilyCalls = callsOf(form, setting);
  const draft = draftOf(form, setting, opened, values, insist);
  const save = async (what: LinkDraft): Promise<Outcome> => ({ saved: await send(setting.mode === 'edit' ? update : add, what) });

  if (insist || form.canCheck?.(values) === false) return save(draft);
  if (verify !== undefined) {
    const verdict = await send(verify, draft);
    if (!verdict.isValid) return { refused: verdict };
    const completed = verdict.completedConnectionInfo;
    return save(completed === undefined ? draft : { ...draft, connectionInfo: JSON.stringify(completed) });
  }
  const verdict = validate === undefined ? undefined : await send(validate, draft);
  return verdict?.isValid === false ? { refused: verdict } : save(draft);
}

/** The family's calls: an organisation's where it has its own, and for WebDAV those that the provider names. */
function callsOf({ family }: Form, { source, orgOid }: Setting): FamilyCalls {
  if (family === 's3' && orgOid !== undefined) return orgFamilyCalls.s3;
  if (family !== 'webdav') return familyCalls[family];
  const { add, update } = familyCalls.webdav;
  return {
    add: source.addApi === undefined ? add : { ...add, path: `/rest/addlink/${source.addApi}` },
    update: source.updateApi === undefined ? update : { ...update, path: `/rest/addlink/${source.updateApi}` },
  };
}
