import { endShareRequest, useShareRequest } from '#/lib/share-request.ts';
import { CreateShareDialog } from './CreateShareDialog.tsx';

/** The dialog of the item that its user wants to share, over the page where it was chosen. */
export function RequestedShare() {
  const request = useShareRequest();
  if (!request) return null;
  const { linkUri, path, fileType } = request;
  return <CreateShareDialog key={linkUri} path={path} linkUri={linkUri} isFolder={fileType === 'FOLDER'} onClose={endShareRequest} />;
}
