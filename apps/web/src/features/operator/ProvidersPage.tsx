import type { OperatedProvider } from '@sheaf/contract';
import { useQuery } from '@tanstack/react-query';
import { errorText } from '#/lib/http/error-text.ts';
import { CopyText } from '#/ui/CopyText.tsx';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { Page, PageHead } from '#/ui/PageHead.tsx';
import { ProviderRow } from './ProviderRow.tsx';
import { operatedProviders } from './queries.ts';
import classes from './operator.module.css';

/** For the operator: configured providers, what to register with each and tests. */
export function ProvidersPage() {
  const { data, error, refetch } = useQuery(operatedProviders());
  const providers = data?.providers;
  return (
    <Page>
      <PageHead title="Providers" line={providers && words(providers)} />
      {error && <ErrorState title="The providers could not be listed" message={errorText(error)} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonRows count={8} height={64} />}
      {providers?.[0] && (
        <>
          <p className={classes.intro}>
            Each of these services lets Sheaf in only through an application that you register with it. Register this redirect address
            there, then set the client id and the client secret and start Sheaf again.
          </p>
          <div className={classes.address}>
            <CopyText text={providers[0].redirectAddress} label="Copy the redirect address" framed />
          </div>
        </>
      )}
      <ul className={classes.providers}>
        {providers?.map((provider) => (
          <ProviderRow key={provider.provider} provider={provider} />
        ))}
      </ul>
    </Page>
  );
}

function words(providers: readonly OperatedProvider[]): string {
  const setUp = providers.filter(({ isSetUp }) => isSetUp).length;
  return setUp === 0 ? 'None is set up yet.' : `${setUp} of ${providers.length} are set up.`;
}
