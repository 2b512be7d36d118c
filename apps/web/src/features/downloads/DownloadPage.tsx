import { useGo } from '#/ui/PathLink.tsx';
import { DownloadDialog } from './DownloadDialog.tsx';

/** The client for computers, on a page of its own. */
export function DownloadPage() {
  const go = useGo();
  return <DownloadDialog asPage onClose={() => go('/')} />;
}
