import { Button } from '@mantine/core';
import { afterSignIn, findSource, linkRequestFaults, safePath, signInAddress } from '@sheaf/contract';
import { rowText } from '#/lib/http/row-text.ts';
import { useQueryParams } from '#/lib/navigation/location.ts';
import { useRoute } from '#/lib/navigation/route.ts';
import { useContact } from '#/lib/session/session.ts';
import { Gate, gateForm } from '#/ui/feedback/Gate.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { outcomes } from './outcomes.ts';

/** Outcome of a sign-in, sign-up or linking: one sentence and one button. */
export function OutcomePage() {
  const found = useRoute();
  const query = useQueryParams();
  const { reason, provider } = query;
  const { support } = useContact();
  const outcome = found && outcomes[found.route.name];
  if (!found || !outcome) return null;
  const sourceType = found.params['sourceType'] ?? '';
  const asksSupport = outcome.asksSupport === true && support !== undefined;
  const sentence = outcome.sentence.replace('{title} ', sourceType === '' ? '' : `${findSource(sourceType)?.title ?? sourceType} `);
  return (
    <Gate
      title={requestFault(reason, provider) ?? (asksSupport ? `${sentence} Please contact support.` : sentence)}
      whole={found.route.fullScreen === true}
    >
      {outcome.button && (
        <div className={gateForm}>
          <Button variant="filled" component={PathLink} href={again(outcome.button.href, query)}>
            {outcome.button.text}
          </Button>
          {asksSupport && (
            <Button component="a" href={support}>
              Contact support
            </Button>
          )}
        </div>
      )}
    </Gate>
  );
}

/** Why a request to link could not start; shows only texts of the catalogue, whatever the address says. */
function requestFault(reason = '', provider = ''): string | undefined {
  const row = Object.entries(linkRequestFaults).find(([name]) => name === reason)?.[1];
  const title = findSource(provider)?.title ?? 'This provider';
  return row === undefined ? undefined : rowText(row, { provider: title });
}

/** The sign-in page again, with the same targets. */
function again(href: string, { redirectUrl, cancelUrl }: Readonly<Record<string, string | undefined>>): string {
  if (href !== '/login/start') return href;
  return signInAddress({ redirectUrl: safePath(redirectUrl, afterSignIn), cancelUrl: safePath(cancelUrl, '/'), flowOrigin: 'page' });
}
