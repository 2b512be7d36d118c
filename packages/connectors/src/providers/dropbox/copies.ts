import type { Env } from '../../core/definition.ts';
import { ConnectorError } from '../../core/error.ts';
import { type ServiceCopies, unlessRefused } from '../../core/service-copy.ts';
import { CopyReference, Metadata, Relocated, pathArg, toEntry } from './api.ts';
import type { DropboxClient } from './client.ts';
import type { DropboxConfig } from './config.ts';

/**
 * Server-side copies between links: within an account by the file's id, between accounts by a copy reference. A reference is valid only for
 * the application that requested it, and as long as that has access to both accounts.
 * https://www.dropbox.com/developers/documentation/http/documentation#files-copy_reference-save
 */
export function serviceCopies(client: DropboxClient, { account }: DropboxConfig, { app }: Env): ServiceCopies {
  const service = `dropbox ${app?.clientId ?? ''}`;
  return {
    service,
    account,
    async serviceFile(path, { signal, forAccount = account }) {
      if (path === '/') throw isAFolder();
      const found = await client.call(Metadata, 'files/get_metadata', { path: pathArg(path) }, signal);
      const entry = toEntry(found);
      if (entry.kind === 'folder') throw isAFolder();
      if (!found.id) throw new ConnectorError('unexpected', 'a file without an id');
      if (forAccount === account) return { service, location: found.id, entry };
      const { id } = found;
      const { copy_reference } = await unlessRefused(() => client.call(CopyReference, 'files/copy_reference/get', { path: id }, signal));
      return { service, location: referencePrefix + copy_reference, entry };
    },
    async copyFrom({ service: its, location }, to, { signal }) {
      if (its !== service) throw new ConnectorError('unsupported', 'the file is of another application or service');
      const path = pathArg(to);
      const copied = await unlessRefused(() =>
        location.startsWith(referencePrefix)
          ? client.call(Relocated, 'files/copy_reference/save', { copy_reference: location.slice(referencePrefix.length), path }, signal)
          : client.call(Relocated, 'files/copy_v2', { from_path: location, to_path: path, autorename: false }, signal),
      );
      return toEntry(copied.metadata);
    },
  };
}

const referencePrefix = 'reference:';

const isAFolder = () => new ConnectorError('isAFolder', 'a folder is copied item by item');
