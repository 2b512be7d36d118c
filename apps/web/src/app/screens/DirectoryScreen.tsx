import { Reauthentication } from '#/features/accounts/security/ProofDialog.tsx';
import { DirectoryPage } from '#/features/orgs/directory/DirectoryPage.tsx';

/** The page of an organisation's directory, which reauthenticates before it makes a token. */
export function DirectoryScreen() {
  return (
    <Reauthentication>
      <DirectoryPage />
    </Reauthentication>
  );
}
