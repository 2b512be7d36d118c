let ask = (): boolean => false;

/** Whether leaving or reloading the page would interrupt an upload; false before anything that uploads is loaded. */
export const isUploading = (): boolean => ask();

/** Registers who knows. */
export function answerIsUploading(by: () => boolean): void {
  ask = by;
}
