import { Button } from '@mantine/core';
import type { SignInAnswer } from '@sheaf/contract';
import { IconFingerprint } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { hasPasskeys } from '#/features/accounts/passkey.ts';
import { usePasskeyLogin } from '#/features/accounts/queries.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { sessionQuery } from '#/lib/session/session.ts';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { Tile } from '#/ui/Tile.tsx';
import { useTaken } from './SignInSteps.tsx';
import classes from '../accounts.module.css';

/** Sign-in with a passkey alone, where browser and installation support it. */
export function PasskeyButton({ onStep }: { onStep: (answer: SignInAnswer) => void }) {
  const isOffered = useQuery(sessionQuery).data?.signIn.passkey === true && hasPasskeys;
  const login = usePasskeyLogin();
  const take = useTaken(onStep);
  if (!isOffered) return null;
  return (
    <div className={classes.passkeyWay}>
      <Button
        className={classes.provider}
        loading={login.isPending}
        onClick={() => login.mutate(undefined, { onSuccess: take })}
        leftSection={
          <Tile size={24}>
            <IconFingerprint size={14} stroke={1.75} />
          </Tile>
        }
      >
        Sign in with a passkey
      </Button>
      {login.error && <Notice kind="error">{errorText(login.error)}</Notice>}
    </div>
  );
}
