import { IconAlertTriangle } from '@tabler/icons-react';
import { CallError } from '#/lib/http/call-error.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { ChunkError } from '#/lib/load-chunk.ts';
import { Button } from '#/ui/button/Button.tsx';
import { EmptyState } from '#/ui/feedback/StatePanel.tsx';
import classes from './Screens.module.css';

/** Shown in place of a screen that failed to load or render. */
export function ErrorScreen({ error }: { error: unknown }) {
  const told = error instanceof ChunkError || error instanceof CallError;
  return (
    <div className={classes.whole}>
      <EmptyState
        level={1}
        role="alert"
        icon={<IconAlertTriangle size={24} stroke={1.5} />}
        title={told ? errorText(error) : 'Something went wrong. Please try refreshing the page.'}
        actions={
          <Button variant="filled" onClick={() => location.reload()}>
            Refresh the page
          </Button>
        }
      />
    </div>
  );
}
