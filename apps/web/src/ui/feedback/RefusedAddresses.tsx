import { Notice } from './Notice.tsx';

/** Addresses that could not be invited, each with the reason. Renders nothing without any. */
export function RefusedAddresses({ refused }: { refused: readonly { readonly email: string; readonly why: string }[] }) {
  if (refused.length === 0) return null;
  return (
    <Notice kind="error">
      <ul>
        {refused.map(({ email, why }) => (
          <li key={email}>
            <b>{email}</b>: {why}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
