import type { Tokenizer } from '@sheaf/contract';
import { loadRecurly } from './load-recurly.ts';
import { createRecurlyTokenizer } from './recurly.ts';
import { createSandboxTokenizer } from './sandbox.ts';
import type { CardTokenizer } from './tokenizer.ts';

/** A tokenizer for one form, of the service that the server names. Rejects with CardError when its script does not arrive. */
export async function openTokenizer({ mode, publicKey = '', scriptUrl = '' }: Tokenizer): Promise<CardTokenizer> {
  if (mode !== 'recurly') return createSandboxTokenizer();
  return createRecurlyTokenizer(await loadRecurly(scriptUrl), publicKey, fieldStyle());
}

/** Style of Recurly's fields, whose frames do not see our style sheets. */
function fieldStyle(): object {
  const { color } = getComputedStyle(document.body);
  return { fontColor: color, fontFamily: 'system-ui, sans-serif', fontSize: '14px', padding: '0 11px' };
}
