/** Objects that are made at the same time. */
const atOnce = 8;

/** Does the work for each name, for some at the same time. */
export async function inTurn(names: readonly string[], work: (name: string) => Promise<void>): Promise<void> {
  const left = [...names];
  const take = async (): Promise<void> => {
    for (let name = left.pop(); name !== undefined; name = left.pop()) await work(name);
  };
  await Promise.all(Array.from({ length: atOnce }, take));
}
