import { type Static, Type } from 'typebox';
import { call } from '../call.ts';
import type { MessageCode } from '../error-table.ts';
import { SavedLink, Verdict } from './links.ts';

const text = Type.String();
const optional = Type.Optional;
const rTag = optional(text);

/** Starts a link by authorization, personally or for an organisation; a full-page navigation. */
export const linkWebServicePath = '/linkwebservice';
export const orgLinkWebServicePath = '/orglinkwebservice';
/** Redirect path for all providers; the operator registers it, below the installation's address. */
export const redirectPath = '/oauth';
/** Page of the Google Cloud flow that asks for the bucket. */
export const googleCloudFormPath = '/link/auth/googlecloud';

/** Target of a request to link that cannot start; its query is a {@link LinkRequestFault}. */
export const requestErrorPath = '/linkprocessing/requesterror';
/** Why a request to link cannot start or finish, as the query's `reason`, with the matching error of the catalogue. */
export const linkRequestFaults = {
  unknown: 'INVALID_SOURCE_TYPE',
  unavailable: 'NOT_AVAILABLE_YET',
  notsetup: 'PROVIDER_NOT_SET_UP',
  closed: 'SERVICE_CLOSED',
  nolink: 'INVALID_LINK_URI',
  accountkind: 'ACCOUNT_KIND',
} as const satisfies Record<string, MessageCode>;
export type LinkRequestReason = keyof typeof linkRequestFaults;
/** `provider` is a name of the catalogue; absent if the request named none. */
export interface LinkRequestFault {
  readonly reason: LinkRequestReason;
  readonly provider?: string;
}

/** Outcome pages of an authorization, by their last segment. */
export const linkOutcomePath = (outcome: 'connectionerror' | 'declined' | 'duplicate' | 'mismatch' | 'unexpectederror'): string =>
  `/link/auth/${outcome}`;
/** End of an authorization that the desktop client started; the query carries its `handoffToken`. */
export const desktopSuccessPath = (sourceType: string): string => `/link/auth/desktopsuccess/${encodeURIComponent(sourceType)}`;

/**
 * Query of {@link googleCloudFormPath}; `stateId` identifies the grant that waits for its bucket, for {@link addGoogleCloudLink} or {@link
 * manageCalls}.
 */
export const GoogleCloudFormQuery = Type.Object({
  stateId: text,
  userLinkId: optional(text),
  redirectUrl: optional(text),
  cancelUrl: optional(text),
  handoffToken: optional(text),
  orgOid: optional(text),
});
export type GoogleCloudFormQuery = Static<typeof GoogleCloudFormQuery>;

/** Query of {@link linkWebServicePath}; ignores other parameters. */
export const LinkWebServiceQuery = Type.Object({
  sourceType: text,
  providerName: optional(text),
  redirectUrl: optional(text),
  cancelUrl: optional(text),
  userLinkId: optional(text),
  handoffToken: optional(text),
  orgOid: optional(text),
  buildRedirectUrl: optional(text),
  authPrompt: optional(text),
});
export type LinkWebServiceQuery = Static<typeof LinkWebServiceQuery>;

export const linkAuthUrl = call({
  method: 'POST',
  path: '/rest/link/auth/url',
  input: Type.Object({
    linkUri: text,
    redirectUrl: optional(text),
    cancelUrl: optional(text),
    authPrompt: optional(Type.Boolean({ default: false })),
    rTag,
  }),
  reply: Type.Object({ url: text }),
  summary: "Where the user authorizes a link again: an address of the link's provider.",
});

/** Sent by the redirect page. The answer contains the path to continue at, on this site. */
export const completeLinkAuth = call({
  method: 'POST',
  path: '/rest/link/auth/complete',
  input: Type.Object({ state: optional(text), code: optional(text), error: optional(text), rTag }),
  reply: Type.Object({ url: text }),
  rTag: 'required',
  summary: "Takes a provider's answer to an authorization: stores the grant and links, or says how it ended.",
});

const Manage = Type.Object({
  userLinkId: optional(text),
  serverName: optional(text),
  linkName: optional(text),
  /** Identifies a new grant, which replaces the link's own. */
  stateId: optional(text),
  orgOid: optional(text),
  rTag,
});
export type ManageDraft = Static<typeof Manage>;

/** Edits a link made by authorization. */
export const manageCalls = {
  validate: call({
    method: 'POST',
    path: '/rest/ws/link/validate_oauth_manage_info',
    input: Manage,
    reply: Verdict,
    summary: 'Checks that the provider still lets Sheaf in, and that the new name is free; without a link only the name.',
  }),
  update: call({
    method: 'POST',
    path: '/rest/ws/link/update_oauth_manage_info',
    input: Manage,
    reply: SavedLink,
    rTag: 'required',
    summary: 'Renames a link that was made by authorization.',
  }),
} as const;
export const orgManageCalls = {
  validate: call({ ...manageCalls.validate, path: '/rest/ws/link/validate_oauth_manage_info_for_org_link' }),
  update: call({ ...manageCalls.update, path: '/rest/ws/link/update_oauth_manage_info_for_org_link' }),
} as const;

/** Links a bucket, with the grant of `stateId` or the JSON of a service account's key. */
export const addGoogleCloudLink = call({
  method: 'POST',
  path: '/rest/addlink/add_googlecloud_link',
  input: Type.Object({
    name: optional(text),
    bucketName: text,
    directoryStructure: optional(text),
    stateId: optional(text),
    serviceAccountKey: optional(text),
    handoffToken: optional(text),
    /** Links the bucket even if it is linked already. */
    continueAnyway: optional(Type.Boolean({ default: false })),
    orgOid: optional(text),
    rTag,
  }),
  reply: SavedLink,
  rTag: 'required',
  summary: 'Links a bucket of Google Cloud Storage.',
});

/** A provider as operators see it. */
export const OperatedProvider = Type.Object({
  provider: text,
  title: text,
  /** Part of its settings' names: `SHEAF_{settings}_CLIENT_ID`. */
  settings: text,
  isSetUp: Type.Boolean(),
  /** Full names of the configured settings; never their values. */
  given: Type.Array(text),
  missing: Type.Array(text),
  redirectAddress: text,
  scopes: Type.Array(text),
  /** Why it can no longer be linked. */
  closed: optional(text),
});
export type OperatedProvider = Static<typeof OperatedProvider>;

export const listOperatedProviders = call({
  method: 'GET',
  path: '/rest/operator/providers',
  input: Type.Object({}),
  reply: Type.Object({ providers: Type.Array(OperatedProvider) }),
  summary: 'For the operator: which providers are set up, and what to register with each.',
});
export const testProvider = call({
  method: 'POST',
  path: '/rest/operator/test_provider',
  input: Type.Object({ provider: text, rTag }),
  reply: Verdict,
  rTag: 'required',
  summary: "For the operator: whether the provider's addresses answer and know the application.",
});
