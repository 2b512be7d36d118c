/** The account fields that a form changes: both values trimmed, or undefined when neither differs. */
export function memberChange(
  known: { readonly loginName: string; readonly loginAccount: string } | undefined,
  name: string,
  email: string,
): { newName: string; newEmail: string } | undefined {
  const newName = name.trim();
  const newEmail = email.trim();
  return known && known.loginName === newName && known.loginAccount === newEmail ? undefined : { newName, newEmail };
}
