import { targetAfterCancel } from '#/features/accounts/return-target.ts';
import { useQueryParams } from '#/lib/navigation/location.ts';
import { gateFoot } from '#/ui/feedback/Gate.tsx';
import { PathLink } from '#/ui/PathLink.tsx';

/** Link back to where the sign-in started, if the address says so. */
export function CancelSignIn() {
  const { cancelUrl } = useQueryParams();
  if (cancelUrl === undefined) return null;
  return (
    <p className={gateFoot}>
      <PathLink href={targetAfterCancel(cancelUrl)}>Cancel</PathLink>
    </p>
  );
}
