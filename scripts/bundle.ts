/** One script for a browser, from a module and all that it imports. */
export async function bundled(input: string): Promise<string> {
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({ input, logLevel: 'warn' });
  const { output } = await bundle.generate({ format: 'esm' });
  await bundle.close();
  return output[0].code;
}
