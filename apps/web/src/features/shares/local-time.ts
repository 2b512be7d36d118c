const two = (number: number): string => String(number).padStart(2, '0');

/** A time in epoch seconds as a field of date and time takes it, in the browser's time zone: `2027-03-09T17:30`. */
export function localTimeOf(seconds: number): string {
  const date = new Date(seconds * 1000);
  const day = `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** Epoch seconds of what such a field holds; undefined while it is incomplete. */
export function secondsOf(local: string): number | undefined {
  const time = new Date(local).getTime();
  return local === '' || Number.isNaN(time) ? undefined : Math.floor(time / 1000);
}
