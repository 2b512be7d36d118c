import {
  type LinkProvider,
  type Source,
  allLinks,
  deleteLink,
  deleteOrgLink,
  getDefaultSourceName,
  getLinkConnectionInfo,
  getLinkProvider,
  getOrgLinkConnectionInfo,
  keepLink,
  listLinkProviders,
  listOrgLinks,
} from '@sheaf/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { CallError } from '#/lib/http/call-error.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { send } from '#/lib/http/send.ts';
import { logError } from '#/lib/log.ts';
import { notifyError } from '#/ui/feedback/notify.ts';
import type { Form, Opened, Outcome, Save, Setting } from './dialogs/fields/field.ts';
import { saveLink } from './dialogs/save-flow.ts';

/** The user's links or an organisation's, grouped by source type. */
export const linkList = (orgOid?: string) =>
  queryOptions({
    queryKey: ['links', ...(orgOid === undefined ? [] : [orgOid])],
    queryFn: ({ signal }) => (orgOid === undefined ? send(allLinks, {}, signal) : send(listOrgLinks, { orgOid }, signal)),
  });

/** State of every provider: whether it is configured and available. */
export const linkProviders = () =>
  queryOptions({ queryKey: ['link-providers'], queryFn: ({ signal }) => send(listLinkProviders, {}, signal), staleTime: 300_000 });

/** The catalogue's row of a source, with the server's addresses and calls. */
export const linkSource = (source: Source) =>
  queryOptions({
    queryKey: ['link-provider', source.provider],
    queryFn: ({ signal }) => send(getLinkProvider, { provider: source.provider }, signal),
    select: ({ provider }): Source => ({ ...source, ...told(provider) }),
    staleTime: 300_000,
  });

function told({ displayTitle, addApi, updateApi, serverUrl, destinationUrl }: LinkProvider): Partial<Source> {
  const known = { title: displayTitle, addApi, updateApi, serverUrl, destinationUrl };
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined));
}

/** State of one provider: its addresses, and whether it can be linked. */
export const linkProvider = (provider: string) =>
  queryOptions({
    queryKey: ['link-provider', provider],
    queryFn: ({ signal }) => send(getLinkProvider, { provider }, signal),
    select: ({ provider: known }) => known,
    staleTime: 300_000,
  });

/** Data for a dialog: the stored info of its link, or a free name for a new one. Never cached. */
export const openedLink = (form: Form, { source, userLinkId, orgOid }: Setting) =>
  queryOptions({
    queryKey: ['opened-link', source.provider, userLinkId, orgOid],
    queryFn: async ({ signal }): Promise<Opened> => {
      if (userLinkId !== undefined) {
        const call = orgOid === undefined ? getLinkConnectionInfo : getOrgLinkConnectionInfo;
        const { linkName, connectionInfo } = await send(call, { userLinkId, ...(orgOid === undefined ? {} : { orgOid }) }, signal);
        return { name: linkName, stored: connectionInfo };
      }
      if (form.defaultNameOf === undefined) return { name: '' };
      const ofProvider = form.family === 'webdav' ? { provider: source.provider } : {};
      const ofOrg = orgOid === undefined ? {} : { orgOid };
      const { linkName } = await send(getDefaultSourceName, { sourceType: form.defaultNameOf, ...ofProvider, ...ofOrg }, signal);
      return { name: linkName };
    },
    staleTime: Infinity,
    gcTime: 0,
  });

/** Creates or changes a link. */
export function useSaveLink() {
  const queries = useQueryClient();
  return useMutation<Outcome, Error, Save>({
    mutationFn: (save) => saveLink((call, input) => send(call, input, save.signal), save),
    onSuccess: (outcome) => ('saved' in outcome ? queries.invalidateQueries({ queryKey: linkList().queryKey }) : undefined),
  });
}

/** Confirms that a link created before the address was verified is the user's own. */
export function useKeepLink() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (userLinkId: string) => send(keepLink, { userLinkId }),
    onSuccess: () => queries.invalidateQueries({ queryKey: linkList().queryKey }),
    onError: (error) => notifyError(`Cannot keep the link. ${errorText(error)}`),
  });
}

const quiet = ['INVALID_SESSION', 'MISSING_PARAMETER', 'INVALID_SOURCE_TYPE', 'ACCOUNT_MISMATCH', 'DUPLICATE_LINK'] as const;

/** Unlinks. Logs errors; shows unknown ones as "Cannot unlink". */
export function useUnlink() {
  const queries = useQueryClient();
  return useMutation<unknown, Error, { readonly userLinkId: string; readonly orgOid?: string | undefined }>({
    mutationFn: ({ userLinkId, orgOid }) =>
      orgOid === undefined ? send(deleteLink, { userLinkId }) : send(deleteOrgLink, { userLinkId, orgOid }),
    onSuccess: () => queries.invalidateQueries({ queryKey: linkList().queryKey }),
    onError: (error) => {
      logError('Unlinking failed.', error);
      if (!(error instanceof CallError) || !quiet.some((row) => error.is(row))) notifyError('Cannot unlink');
    },
  });
}
