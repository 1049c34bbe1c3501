/** The driver suite finds faults that nobody thought of: mutants of drivers that keep every promise. More: mutants.long.test.ts. */
import t from 'tap';
import { mutantsOf, plainMutants, tryMutant } from './plainMutants.js';

t.test('mutantsOf: one fault each, at its line, and only those that compile', async t => {
  const text = `const a: number = 1;\nexport async function f(x?: string) {\n  if (x === 'on' && a > 2) throw new Error('no way');\n  await g();\n  return x ?? a;\n}`;
  const found = mutantsOf(text).map(({ line, was, is }) => `${line}: ${was.slice(0, 14)} -> ${is.slice(0, 14)}`);
  for (const each of ['3: === -> !==', '3: && -> ||', '3: > -> >=', '3: 2 -> 3', '3: throw new Erro -> ;'])
    t.ok(
      found.some(one => one.startsWith(each.slice(0, 12))),
      each,
    );
  t.ok(found.includes('4: await g() -> g()'));
  t.ok(found.includes('5: x ?? a -> x'));
  t.notOk(
    found.some(one => one.includes('no way')),
    'sentences for people stay',
  );
});

t.test('a driver without a mutant, no case fails', async t => {
  t.equal((await tryMutant({ target: 'fake', file: 'fakeScan' })).failed, undefined);
});

t.test('a mutant that breaks a promise plainly is caught', async t => {
  const mutant = plainMutants()[0]!;
  t.ok((await tryMutant(mutant)).failed, `${mutant.path}:${mutant.line} ${mutant.was} -> ${mutant.is}`);
});
