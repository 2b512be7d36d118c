import { Loader } from '@mantine/core';
import { completeLinkAuth, safePath } from '@sheaf/contract';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { isSignedOut } from '#/lib/http/call-error.ts';
import { send } from '#/lib/http/send.ts';
import { logError } from '#/lib/log.ts';
import { useQueryParams } from '#/lib/navigation/location.ts';
import { signInAddress } from '#/lib/session/sign-in-address.ts';
import { Gate, gateForm } from '#/ui/feedback/Gate.tsx';

const failed = '/link/auth/unexpectederror';

/** `/oauth`: the redirect address of all providers. Passes the answer to Sheaf and continues to its target. */
export function OAuthPage() {
  const { state, code, error } = useQueryParams();
  const { mutate } = useComplete();
  const begun = useRef(false);

  useEffect(() => {
    // An answer works once: React's second mount in development must not spend it again.
    if (begun.current) return;
    begun.current = true;
    // Removes the code from the address and the history.
    window.history.replaceState(window.history.state, '', window.location.pathname);
    mutate({ state, code, error });
  }, [mutate, state, code, error]);

  return (
    <Gate title="Loading...">
      <div className={gateForm} role="status" aria-label="Linking your account">
        <Loader size={22} color="var(--accent)" mx="auto" />
      </div>
    </Gate>
  );
}

interface Answer {
  readonly state: string | undefined;
  readonly code: string | undefined;
  readonly error: string | undefined;
}

function useComplete() {
  return useMutation({
    mutationFn: ({ state, code, error }: Answer) =>
      send(completeLinkAuth, {
        ...(state !== undefined && { state }),
        ...(code !== undefined && { code }),
        ...(error !== undefined && { error }),
      }),
    onSuccess: ({ url }) => window.location.replace(safePath(url, failed)),
    onError: (fault) => {
      logError('An authorization could not be completed.', fault);
      window.location.replace(isSignedOut(fault) ? signInAddress('/links') : failed);
    },
  });
}
