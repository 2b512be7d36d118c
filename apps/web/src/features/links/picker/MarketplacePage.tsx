import { useSession } from '#/lib/session/session.ts';
import { signInAddress } from '#/lib/session/sign-in-address.ts';
import { Page } from '#/ui/PageHead.tsx';
import { SourceGrid } from './SourceGrid.tsx';

/** The marketplace: a public list of what Sheaf can link. Visitors sign in first and continue to their choice. */
export function MarketplacePage() {
  const isSignedIn = useSession() !== undefined;
  const afterSignIn = (path: string): string => signInAddress(path, { cancelUrl: '/linkmarketplace', flowOrigin: 'marketplace' });
  return (
    <Page>
      <SourceGrid {...(isSignedIn ? {} : { addressOf: afterSignIn })}>
        <h1>Link marketplace</h1>
        <p>Everything that Sheaf brings together. Choose one to link it.</p>
      </SourceGrid>
    </Page>
  );
}
