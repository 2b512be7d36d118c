import { type FamilyCalls, type LinkDraft, familyCalls, getDefaultSourceName, orgFamilyCalls } from '@sheaf/contract';
import type { Form, Opened, Outcome, Save, Send, Setting } from './fields/field.ts';
import { draftOf } from './fields/form-values.ts';

/**
 * Checks a connection as its family does and saves it: `validate` families save the input, `verify` families save what the check has completed, the
 * others are checked by the saving call. Rejects with the errors of `send`.
 */
export async function saveLink(send: Send, asked: Save): Promise<Outcome> {
  const { form, setting, values, insist, stage } = asked;
  if (form.saves) {
    stage?.('both');
    return form.saves(send, asked);
  }
  const { validate, verify, add, update }: FamilyCalls = callsOf(form.family, setting);
  const draft = draftOf(asked, await withDefaultName(send, asked));
  const save = async (what: LinkDraft): Promise<Outcome> => {
    stage?.(form.check === 'whileSaving' && !insist ? 'both' : 'saving');
    return { saved: await send(setting.mode === 'edit' ? update : add, what) };
  };

  if (insist || form.canCheck?.(values) === false) return save(draft);
  stage?.('checking');
  if (verify !== undefined) {
    const verdict = await send(verify, draft);
    if (!verdict.isValid) return { refused: verdict };
    const completed = verdict.completedConnectionInfo;
    return save(completed === undefined ? draft : { ...draft, connectionInfo: JSON.stringify(completed) });
  }
  const verdict = validate === undefined ? undefined : await send(validate, draft);
  return verdict?.isValid === false ? { refused: verdict } : save(draft);
}

/** Gives a new link without a name a free one, which is shown and determined again by the server. */
async function withDefaultName(send: Send, { form, setting, opened, values, named }: Save): Promise<Opened> {
  const sourceType = form.defaultNameOnSubmit;
  if (sourceType === undefined || setting.mode === 'edit' || (values['name'] ?? '').trim() !== '') return opened;
  const ofOrg = setting.orgOid === undefined ? {} : { orgOid: setting.orgOid };
  const { linkName } = await send(getDefaultSourceName, { sourceType, ...ofOrg });
  named?.(linkName);
  return opened;
}

/** The family's calls: an organisation's where it has its own, and for WebDAV those of the provider. */
function callsOf(family: Form['family'], { source, orgOid }: Setting): FamilyCalls {
  if (family === 'oauth' || family === 'googlecloud') throw new TypeError(`${family} saves in its own way`);
  if (family === 's3' && orgOid !== undefined) return orgFamilyCalls.s3;
  if (family !== 'webdav') return familyCalls[family];
  const { add, update } = familyCalls.webdav;
  return {
    add: source.addApi === undefined ? add : { ...add, path: `/rest/addlink/${source.addApi}` },
    update: source.updateApi === undefined ? update : { ...update, path: `/rest/addlink/${source.updateApi}` },
  };
}
