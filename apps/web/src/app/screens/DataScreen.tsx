import { useQuery } from '@tanstack/react-query';
import { DataPage } from '#/features/account-data/DataPage.tsx';
import { Reauthentication } from '#/features/accounts/security/ProofDialog.tsx';
import { signInWayList } from '#/features/accounts/security/security-queries.ts';

/** The page of exports, which reauthenticates before secrets leave the server. */
export function DataScreen() {
  const { data } = useQuery(signInWayList);
  return (
    <Reauthentication>
      <DataPage hasPassword={data?.hasPassword ?? true} />
    </Reauthentication>
  );
}
