import type { ConnectorId, Source } from '@sheaf/contract';
import type { Definition } from './core/definition.ts';

/** The modules of the connectors that the catalogue names, loaded when a link first needs them. */
const connectors: Readonly<Record<ConnectorId, () => Promise<Definition>>> = {
  autodesk: async () => (await import('./providers/autodesk/index.ts')).autodesk,
  azure: async () => (await import('./providers/azure/index.ts')).azure,
  b2: async () => (await import('./providers/b2/index.ts')).b2,
  box: async () => (await import('./providers/box/index.ts')).box,
  clouddrive: async () => (await import('./providers/clouddrive/index.ts')).clouddrive,
  copy: async () => (await import('./providers/copy/index.ts')).copy,
  dropbox: async () => (await import('./providers/dropbox/index.ts')).dropbox,
  dropboxteams: async () => (await import('./providers/dropbox/index.ts')).dropboxTeams,
  facebook: async () => (await import('./providers/meta/facebook/index.ts')).facebook,
  ftp: async () => (await import('./providers/ftp/index.ts')).ftp,
  googlecloud: async () => (await import('./providers/google/storage/index.ts')).googlecloud,
  googledrive: async () => (await import('./providers/google/drive/index.ts')).googledrive,
  instagram: async () => (await import('./providers/meta/instagram/index.ts')).instagram,
  ofs: async () => (await import('./providers/gateway/index.ts')).ofs,
  onedrive: async () => (await import('./providers/onedrive/index.ts')).onedrive,
  oracledocuments: async () => (await import('./providers/oracledocuments/index.ts')).oracledocuments,
  procore: async () => (await import('./providers/procore/index.ts')).procore,
  s3: async () => (await import('./providers/s3/index.ts')).s3,
  sftp: async () => (await import('./providers/sftp/index.ts')).sftp,
  sheafgateway: async () => (await import('./providers/gateway/index.ts')).sheafgateway,
  slack: async () => (await import('./providers/slack/index.ts')).slack,
  webdav: async () => (await import('./providers/webdav/index.ts')).webdav,
};

/** Finds the connector of a source of the catalogue; undefined while Sheaf has none for it. */
export type FindDefinition = (source: Source) => Promise<Definition | undefined>;

export const findDefinition: FindDefinition = async ({ connector }) => (connector === undefined ? undefined : connectors[connector]());

/** The ids of all connectors. */
export const connectorIds: readonly string[] = Object.keys(connectors);
