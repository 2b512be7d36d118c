import { type Static, Type } from 'typebox';
import { call, jsonText } from '../call.ts';
import { ErrorAnswer } from '../error-answer.ts';
import { type SpaceRole, spaceRoles } from './spaces.ts';

const text = Type.String();
const optional = Type.Optional;
const rTag = optional(text);
const flag = (preset: boolean) => Type.Boolean({ default: preset });

/** A row of My links. The browser adds `linkUri`, `activated` and `sourceType`. */
export const LinkRow = Type.Object({
  userLinkId: text,
  name: text,
  disambiguatedName: text,
  sourceAccountName: text,
  provider: text,
  thumbnailUrl: text,
  menuIconUrl: text,
  isOrganization: Type.Boolean(),
  formType: optional(text),
  linkUri: text,
  /** Address of the link's view: list or gallery, personal or of an organisation. */
  browseUrl: text,
  state: Type.Union([Type.Literal('ok'), Type.Literal('unknown'), Type.Literal('attention')]),
  /** Epoch seconds of the source's last answer or refusal. */
  checkedAt: optional(Type.Integer()),
  /** Why the link needs attention, as a sentence. */
  attention: optional(text),
  /** The same as an error of the catalogue. */
  attentionError: optional(ErrorAnswer),
  /** The user's role in the Space; absent for all other links. */
  spaceRole: optional(Type.Unsafe<SpaceRole>({ type: 'string', enum: [...spaceRoles] })),
  /** Created before the account's address was verified, so possibly by another person; set until the user keeps or unlinks it. */
  isUnclaimed: optional(Type.Boolean()),
});
export type LinkRow = Static<typeof LinkRow>;

export const LinkGroup = Type.Object({ sourceType: text, source_type: text, title: text, links: Type.Array(LinkRow) });
export type LinkGroup = Static<typeof LinkGroup>;

export const LinkProvider = Type.Object({
  provider: text,
  displayTitle: text,
  title: text,
  addApi: optional(text),
  updateApi: optional(text),
  logoUrl: text,
  serverUrl: optional(text),
  destinationUrl: optional(text),
  /** Whether the provider needs an application registered by the operator, and whether it is configured. */
  isSetUp: Type.Boolean(),
  available: Type.Boolean(),
  /** Why it cannot be linked: its provider gives no access and the operator has configured no compatible server. */
  closed: optional(text),
});
export type LinkProvider = Static<typeof LinkProvider>;

const strings = Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: { type: 'string' } });
export const SavedLink = Type.Object({ userLinkId: text, linkName: text, linkUri: text, browseUrl: text });
export type SavedLink = Static<typeof SavedLink>;
export const Verdict = Type.Object({
  isValid: Type.Boolean(),
  ...Type.Partial(ErrorAnswer).properties,
  /** With HOST_KEY_CHANGED: fingerprint of the server's current key; sending it back as `acceptedHostKey` of the connection info accepts it. */
  hostKey: optional(text),
});
export type Verdict = Static<typeof Verdict>;
const CompletedVerdict = Type.Object({ ...Verdict.properties, completedConnectionInfo: optional(strings) });
export type CompletedVerdict = Static<typeof CompletedVerdict>;
const Nothing = Type.Object({});

/**
 * Fields of every create, update and validate call of a link. `connectionInfo` is a JSON string; a client may send its fields individually instead.
 * `serverName` and `linkName` are synonyms. `continueAnyway`: the user has read a warning, such as about a duplicate, and continues.
 */
const Draft = Type.Object(
  {
    connectionInfo: optional(jsonText),
    provider: optional(text),
    serverName: optional(text),
    linkName: optional(text),
    userLinkId: optional(text),
    orgOid: optional(text),
    validateConnection: optional(Type.Boolean()),
    continueAnyway: optional(flag(false)),
    rTag,
  },
  { additionalProperties: true },
);
export type LinkDraft = Static<typeof Draft>;
const LinkRef = Type.Object({ userLinkId: text, orgOid: optional(text), rTag });

export const allLinks = call({
  method: 'GET',
  path: '/rest/ws/all_links',
  input: Type.Object({}),
  reply: Type.Object({ activeSources: Type.Array(LinkGroup) }),
  summary: 'All links of the user, grouped by source type.',
});
export const getLinkProvider = call({
  method: 'POST',
  path: '/rest/provider/get_link_provider',
  input: Type.Object({ provider: text }),
  reply: Type.Object({ provider: LinkProvider }),
  summary: 'What is known about a provider.',
});
export const listLinkProviders = call({
  method: 'GET',
  path: '/rest/provider/get_link_providers',
  input: Type.Object({}),
  reply: Type.Object({ providers: Type.Array(LinkProvider) }),
  session: 'optional',
  summary: 'Every provider that can be linked.',
});
export const getDefaultSourceName = call({
  method: 'GET',
  path: '/rest/ws/link/get_default_source_name',
  input: Type.Object({ sourceType: text, provider: optional(text), orgOid: optional(text) }),
  reply: Type.Object({ linkName: text }),
  summary: 'A free name for a new link.',
});
export const getLinkConnectionInfo = call({
  method: 'POST',
  path: '/rest/ws/link/get_link_connection_info',
  input: LinkRef,
  reply: Type.Object({ connectionInfo: strings, linkName: text, provider: text, sourceType: text }),
  summary: 'The stored connection info; secrets are masked.',
});
export const getOrgLinkConnectionInfo = call({ ...getLinkConnectionInfo, path: '/rest/ws/link/get_org_link_connection_info' });
export const deleteLink = call({
  method: 'POST',
  path: '/rest/ws/link/delete_link',
  input: LinkRef,
  reply: Nothing,
  rTag: 'required',
  summary: 'Unlinks: forgets the link, its secrets and its listings; the files stay at the source.',
});
export const keepLink = call({
  method: 'POST',
  path: '/rest/ws/link/keep_link',
  input: Type.Object({ userLinkId: text, rTag }),
  reply: Nothing,
  rTag: 'required',
  summary: 'Says that a link which was made before the address of the account was proven is the own one.',
});
export const deleteOrgLink = call({ ...deleteLink, path: '/rest/ws/link/delete_org_link' });

/** Checks change nothing; some require the rTag nevertheless, as the specification's table of calls says. */
type CheckTag = 'required' | 'checked';
const validate = (path: string, rTag: CheckTag, summary: string) =>
  call({ method: 'POST', path, input: Draft, reply: Verdict, rTag, summary });
const verify = (path: string, rTag: CheckTag, summary: string) =>
  call({ method: 'POST', path, input: Draft, reply: CompletedVerdict, rTag, summary });
const save = (path: string, summary: string) => call({ method: 'POST', path, input: Draft, reply: SavedLink, rTag: 'required', summary });

/** How a dialog family checks and saves a connection. */
export interface FamilyCalls {
  readonly add: ReturnType<typeof save>;
  readonly update: ReturnType<typeof save>;
  /** Returns only whether the connection works. */
  readonly validate?: ReturnType<typeof validate>;
  /** Also returns the connection info to save. */
  readonly verify?: ReturnType<typeof verify>;
}

/** The calls of each dialog family; WebDAV and the gateway check while they save (`validateConnection`). */
export const familyCalls = {
  s3: {
    verify: verify('/rest/addlink/verify_amazon_s3_connection', 'checked', 'Checks an object store and completes its connection info.'),
    add: save('/rest/addlink/add_amazon_s3_link', 'Links an object store.'),
    update: save('/rest/addlink/update_amazon_s3_link', 'Changes the link of an object store.'),
  },
  ftp: {
    validate: validate('/rest/ws/link/validate_ftp_connection_info', 'required', 'Checks an FTP server.'),
    add: save('/rest/ws/link/set_ftp_connection', 'Links an FTP server.'),
    update: save('/rest/ws/link/update_ftp_connection', 'Changes the link of an FTP server.'),
  },
  ofs: {
    validate: validate('/rest/ws/link/validate_ofs_connection_info', 'required', 'Checks a Sheaf file server.'),
    add: save('/rest/ws/link/set_ofs_connection', 'Links a Sheaf file server.'),
    update: save('/rest/ws/link/update_ofs_connection', 'Changes the link of a Sheaf file server.'),
  },
  sftp: {
    validate: validate('/rest/ws/link/validate_sftp_connection_info', 'checked', 'Checks an SFTP server.'),
    add: save('/rest/ws/link/set_sftp_connection', 'Links an SFTP server.'),
    update: save('/rest/ws/link/update_sftp_connection', 'Changes the link of an SFTP server.'),
  },
  webdav: {
    add: save('/rest/addlink/add_webdav_provider_link', 'Links a WebDAV server.'),
    update: save('/rest/addlink/update_webdav_provider_link', 'Changes the link of a WebDAV server.'),
  },
  sheafgateway: {
    add: save('/rest/addlink/add_sheafgateway_provider_link', 'Links a gateway.'),
    update: save('/rest/addlink/update_sheafgateway_provider_link', 'Changes the link of a gateway.'),
  },
  oracledocuments: {
    validate: validate('/rest/ws/link/validate_oracle_connection_info', 'required', 'Checks an Oracle Documents server.'),
    add: save('/rest/ws/link/set_oracle_connection', 'Links an Oracle Documents server.'),
    update: save('/rest/ws/link/update_oracle_connection', 'Changes the link of an Oracle Documents server.'),
  },
  b2: {
    verify: verify('/rest/addlink/verify_b2_connection', 'required', 'Checks a B2 account and completes its connection info.'),
    add: save('/rest/addlink/add_b2_link', 'Links a B2 account.'),
    update: save('/rest/ws/link/update_b2_connection', 'Changes the link of a B2 account.'),
  },
} as const satisfies Record<string, FamilyCalls>;
export type SavedFamily = keyof typeof familyCalls;

/** Variants for organisations that the specification names. */
export const orgFamilyCalls = {
  s3: {
    verify: verify('/rest/addlink/verify_amazon_s3_connection_for_org_link', 'checked', 'Checks an object store for an organisation.'),
    add: save('/rest/addlink/add_amazon_s3_for_org_link', 'Links an object store for an organisation.'),
    update: save('/rest/addlink/update_amazon_s3_for_org_link', "Changes an organisation's link of an object store."),
  },
} as const satisfies Partial<Record<SavedFamily, FamilyCalls>>;
