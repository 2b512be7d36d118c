import { useEffect } from 'react';

/** A share has a page of its own: leaves the app for it, at the same address. */
export function ShareScreen() {
  useEffect(() => location.reload(), []);
  return null;
}
