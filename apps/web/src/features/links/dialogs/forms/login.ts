import type { Field } from '#/features/links/dialogs/fields/field.ts';

/** User name and password, side by side. */
export const login: readonly Field[] = [
  { kind: 'text', name: 'username', label: 'Username', required: true, half: true },
  { kind: 'secret', name: 'password', label: 'Password', required: true, half: true },
];
