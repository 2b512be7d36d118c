import { IconCompassOff } from '@tabler/icons-react';
import { useSession } from '#/lib/session/session.ts';
import { WholeScreen } from './WholeScreen.tsx';

/** Shown for every path outside the route map. */
export function NotFoundScreen() {
  const session = useSession();
  return (
    <WholeScreen
      icon={<IconCompassOff size={24} stroke={1.5} />}
      title="There is no page at this address"
      action={session ? 'Go to my Sheaf' : 'Go to the start page'}
      href={session ? '/account/mysheaf' : '/'}
    >
      It may have been moved, or the address may have been mistyped.
    </WholeScreen>
  );
}
