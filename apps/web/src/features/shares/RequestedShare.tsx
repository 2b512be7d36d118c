import { endShareRequest, useShareRequest } from '#/lib/sharing/share-request.ts';
import { CreateShareDialog } from './CreateShareDialog.tsx';

/** The sharing dialog of the requested item, over the current page. */
export function RequestedShare() {
  const request = useShareRequest();
  if (!request) return null;
  const { linkUri, path, fileType, more } = request;
  return (
    <CreateShareDialog key={linkUri} path={path} linkUri={linkUri} more={more} isFolder={fileType === 'FOLDER'} onClose={endShareRequest} />
  );
}
