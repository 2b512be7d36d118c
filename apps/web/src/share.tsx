import { createRoot } from 'react-dom/client';
import { rememberScrolling } from './app/navigation/scroll.ts';
import { shareSession } from './app/share/share-session.ts';
import { ShareApp } from './app/share/ShareApp.tsx';
import { openedShare } from './features/shares/public/queries.ts';
import { parseShareAddress } from './features/shares/public/share-address.ts';
import './app/theme/layers.css';
import './app/theme/tokens.css';
import './app/theme/ground.css';
import '@fontsource-variable/inter/opsz.css';

/** The page of a share for its visitors: an entry of its own, without the app's frame, the component library and TanStack Query. */
async function start(): Promise<void> {
  const root = document.getElementById('root');
  if (!root) throw new Error('the page has no place for the share');
  const address = parseShareAddress(location.pathname);
  if (address) void openedShare(address.weblinkId).ask();
  // Its foot shows the name of the installation, which must not change under the reader's eyes.
  await shareSession.ask();
  rememberScrolling();
  createRoot(root).render(<ShareApp />);
}

await start();
