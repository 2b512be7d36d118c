import { useGo } from '#/ui/PathLink.tsx';
import { DownloadDialog } from './DownloadDialog.tsx';

/** The client for computers, on its own page. */
export function DownloadPage() {
  const go = useGo();
  return <DownloadDialog asPage onClose={() => go('/')} />;
}
