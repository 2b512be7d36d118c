import { useEffect, useState } from 'react';

/** Milliseconds within which most screens have been painted. */
const settledAfter = 100;

/** False until a moment after the component was first drawn. For work that would only delay what is to be seen first. */
export function useSettled(): boolean {
  const [isSettled, setSettled] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), settledAfter);
    return () => clearTimeout(timer);
  }, []);
  return isSettled;
}
