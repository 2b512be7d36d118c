import { AccessDialog, type AccessProps } from './AccessDialog.tsx';
import { type NewSecrets, useCreateAppPassword } from './queries.ts';

/** Makes an app password. */
export function NewPasswordDialog({ onCreated, ...props }: AccessProps & { onCreated: (made: NewSecrets) => void }) {
  const create = useCreateAppPassword();
  return (
    <AccessDialog
      {...props}
      title="New app password"
      sentence="For one program or device. You can revoke it at any time."
      action="Create password"
      isBusy={create.isPending}
      error={create.error}
      onChange={create.reset}
      onSubmit={(input) => create.mutate(input, { onSuccess: onCreated })}
    />
  );
}
