import { Button } from '@mantine/core';
import { safePath, signInPath } from '@sheaf/contract';
import { IconMail } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { targetAfterSignIn } from '#/features/accounts/return-target.ts';
import { withQuery } from '#/lib/http/form-body.ts';
import { useHere, useQueryParams } from '#/lib/navigation/location.ts';
import { sessionQuery } from '#/lib/session/session.ts';
import { PathLink } from '#/ui/PathLink.tsx';
import { Tile } from '#/ui/Tile.tsx';
import classes from '../accounts.module.css';

/** The configured ways to sign in. Providers leave the app; email has its form here. */
export function ProviderButtons({ emailHref }: { emailHref: string }) {
  const here = useHere();
  const { redirectUrl, cancelUrl, flowOrigin } = useQueryParams();
  const query = {
    redirectUrl: targetAfterSignIn(redirectUrl, cancelUrl),
    cancelUrl: safePath(cancelUrl, safePath(here, '/')),
    flowOrigin,
  };
  const { signInProviders: providers = [], hasPasswords = true } = useQuery(sessionQuery).data ?? {};
  return (
    <div className={classes.providers}>
      {providers.map(({ provider, title }) => (
        <Button
          key={provider}
          className={classes.provider}
          component="a"
          href={withQuery(signInPath(provider), query)}
          leftSection={<Tile size={24}>{title.slice(0, 1)}</Tile>}
        >
          {title}
        </Button>
      ))}
      {hasPasswords && (
        <Button
          className={classes.provider}
          component={PathLink}
          href={emailHref}
          leftSection={
            <Tile size={24}>
              <IconMail size={14} stroke={1.75} />
            </Tile>
          }
        >
          Email
        </Button>
      )}
    </div>
  );
}
