import { AllowAgentPage } from '#/features/accounts/agents/AllowAgentPage.tsx';
import { AppPasswordsPage } from '#/features/accounts/programs/AppPasswordsPage.tsx';
import { ConnectPage } from '#/features/accounts/programs/ConnectPage.tsx';
import { FolderField } from '#/features/picker/FolderField.tsx';

/** The app passwords, and the dialog that chooses their folder. */
export function AppPasswordsScreen() {
  return <AppPasswordsPage FolderField={FolderField} />;
}

/** How programs connect to a link. */
export function ConnectScreen() {
  return <ConnectPage FolderField={FolderField} />;
}

/** Asks whether a program may act for the user. */
export function AllowAgentScreen() {
  return <AllowAgentPage FolderField={FolderField} />;
}
