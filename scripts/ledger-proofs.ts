/** Which ledger rows a test file names, and what its tests prove about them. */

/**
 * - `product`: the test runs Sheaf itself against a real server or a simulator.
 * - `stub`: the test decides an answer of Sheaf's own server, so that it proves how the page reacts and no more.
 * - `unit`: the test runs a function or compares tables, and no part of the product answers.
 */
export type ProofKind = 'product' | 'stub' | 'unit';

export interface Proof {
  readonly id: string;
  readonly kind: ProofKind;
}

const idInTitle = /\[([A-Z][A-Z0-9]*-\d+)\]/g;
/** How a browser test replaces the server's answer: Playwright's route, and our fixture on top of it. */
const answersInPlaceOfServer = /\.fulfill\(|\.answer\(/;
const startsTest = /^(?=[ \t]*(?:await )?(?:test|t\.test)\()/m;
const startsDeclaration = /^(?=(?:export )?(?:async )?(?:const|function|test)\b)/m;
const declaredName = /^(?:export )?(?:async )?(?:const|function)\s+(\w+)/;
/** Imported only by tests that start Sheaf, a connector on a server, or one of our programs. */
const startsProduct = /testing\/|testbed|conformance|simulator|createServer|startServer/;

/**
 * Returns every row id in a test file with what the test around it proves. `text` is the file, `path` its path from the project's root,
 * and `support` the text of the modules beside it that it imports, whose functions may stub answers.
 */
export function proofsOf(path: string, text: string, support = ''): Proof[] {
  if (path.startsWith('packages/contract/') || path.startsWith('apps/web/')) return idsOf(text, 'unit');
  if (!path.startsWith('e2e/')) return idsOf(text, startsProduct.test(text) || path.includes('/conformance/') ? 'product' : 'unit');
  const stubs = stubbingFunctions(`${support}\n${text}`);
  return text.split(startsTest).flatMap((test) => idsOf(test, usesStub(test, stubs) ? 'stub' : 'product'));
}

const idsOf = (text: string, kind: ProofKind): Proof[] => [...text.matchAll(idInTitle)].map(([, id = '']) => ({ id, kind }));

const usesStub = (text: string, stubs: ReadonlySet<string>): boolean =>
  answersInPlaceOfServer.test(text) || [...stubs].some((name) => new RegExp(`\\b${name}\\(`).test(text));

/** Names of the functions that stub an answer themselves or call one that does. */
function stubbingFunctions(text: string): Set<string> {
  const declarations = text.split(startsDeclaration).flatMap((part) => {
    const head = declaredName.exec(part);
    return head ? [{ name: head[1] ?? '', body: part.slice(head[0].length) }] : [];
  });
  const found = new Set<string>();
  let before = -1;
  while (found.size > before) {
    before = found.size;
    for (const { name, body } of declarations) if (usesStub(body, found)) found.add(name);
  }
  return found;
}
