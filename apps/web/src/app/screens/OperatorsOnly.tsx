import { IconLock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { sessionQuery } from '#/lib/session/session.ts';
import { WholeScreen } from './WholeScreen.tsx';

/** The page for operators; for everybody else, why there is nothing to see. */
export const forOperators = (Page: ComponentType): ComponentType =>
  function OperatorScreen() {
    const { data } = useQuery(sessionQuery);
    if (!data?.session) return null;
    return data.isOperator ? <Page /> : <OperatorsOnly isVerified={data.session.emailVerified} />;
  };

function OperatorsOnly({ isVerified }: { isVerified: boolean }) {
  return (
    <WholeScreen
      icon={<IconLock size={24} stroke={1.5} />}
      title="This page is for operators"
      action={isVerified ? 'Go to my Sheaf' : 'Verify my address'}
      href={isVerified ? '/account/mysheaf' : '/account/profile'}
    >
      Only the operators of this installation can see it.
      {!isVerified && ' If you are one of them, verify your e-mail address first.'}
    </WholeScreen>
  );
}
