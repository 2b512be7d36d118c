import { useQueryParams } from '#/lib/navigation/location.ts';
import { useGo } from '#/ui/PathLink.tsx';
import { CreateShareDialog } from '../CreateShareDialog.tsx';
import { ShareList } from './ShareList.tsx';
import classes from '../shares.module.css';

/** All shares of the user. `createDialog=true` opens the dialog for the item at `sharePath`, whose address is `shareUri`. */
export function SharesPage() {
  const { createDialog, sharePath = '', shareUri = '', ...query } = useQueryParams();
  const go = useGo();
  const { pathname } = window.location;
  const closed = (): void => go(pathname + queryOf(query), { replace: true });
  return (
    <div className={classes.page}>
      <ShareList />
      {createDialog === 'true' && (
        <CreateShareDialog path={sharePath} linkUri={shareUri} isFolder={!/\.\w{1,8}$/.test(sharePath)} onClose={closed} />
      )}
    </div>
  );
}

function queryOf(params: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams(params as Record<string, string>).toString();
  return query === '' ? '' : `?${query}`;
}
