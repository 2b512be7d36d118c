import { Button } from '@mantine/core';
import { errorTable, findSource, safePath } from '@sheaf/contract';
import { useQueryParams, useRoute } from '#/lib/location.ts';
import { Gate, gateForm } from '#/ui/Gate.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { outcomes } from './outcomes.ts';

/** How signing in, signing up or linking ended: one sentence and one button. */
export function OutcomePage() {
  const found = useRoute();
  const { redirectUrl, reason } = useQueryParams();
  const outcome = found && outcomes[found.route.name];
  if (!found || !outcome) return null;
  const sourceType = found.params['sourceType'] ?? '';
  const sentence = outcome.sentence.replace('{title} ', sourceType === '' ? '' : `${findSource(sourceType)?.title ?? sourceType} `);
  return (
    <Gate title={reason === 'notsetup' ? errorTable.PROVIDER_NOT_SET_UP.text : sentence} whole={found.route.fullScreen === true}>
      {outcome.button && (
        <div className={gateForm}>
          <Button variant="filled" component={PathLink} href={again(outcome.button.href, redirectUrl)}>
            {outcome.button.text}
          </Button>
        </div>
      )}
    </Gate>
  );
}

/** The sign-in page once more, leading to the same place as before. */
function again(href: string, redirectUrl: string | undefined): string {
  const target = safePath(redirectUrl, '');
  return target === '' || href !== '/login/start' ? href : `${href}?redirectUrl=${encodeURIComponent(target)}`;
}
