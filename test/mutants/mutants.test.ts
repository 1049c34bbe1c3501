/** The driver suite finds faults that nobody thought of: mutants of drivers that keep every promise. */
import t from 'tap';

interface Mutant {
  readonly target: string;
  readonly file: string;
  readonly path: string;
  readonly line: number;
  /** The line as it is in the file. */
  readonly text: string;
  readonly was: string;
  readonly is: string;
}
type Found = { readonly failed?: string; readonly message?: string };

const of = async <Module>(name: string) =>
  (await import(new URL(`../../../setup/mutants/${name}.mjs`, import.meta.url).href)) as Module;
const { allMutants } = await of<{ allMutants(target: string): Mutant[] }>('allMutants');
const { mutantsOf } = await of<{ mutantsOf(text: string): { was: string; is: string; line: number }[] }>('mutate');
const { tryMutant } = await of<{ tryMutant(mutant: Partial<Mutant>): Promise<Found> }>('tryMutant');

async function inThrees<T>(all: readonly T[], run: (each: T, at: number) => Promise<unknown>): Promise<void> {
  const queue = all.entries();
  const work = async () => {
    for (const [at, each] of queue) await run(each, at);
  };
  await Promise.all([work(), work(), work()]);
}

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

/** One for each promise that the fake driver's own code keeps: its line, and what it becomes. */
const mustBeCaught: readonly (readonly [text: RegExp, is: string])[] = [
  [/scanner\.tray--/, 'scanner.tray++'],
  [/throw new ScanError\('no-paper'/, ';'],
  [/throw new ScanError\('busy', `\$\{scanner\.device\.name\} is open/, ';'],
  [/yield pageOf\(scan, fed\.sheet, 'back'\)/, ';'],
  [/width \* height <= scan\.order\.maxPixels/, '!(width * height <= scan.order.maxPixels)'],
  [/checkDriverOptions\(/, ';'],
];

t.test('mutants that break a promise plainly, each is caught', async t => {
  const all = allMutants('fake');
  const mutants = mustBeCaught.map(([text, is]) => all.find(each => text.test(each.text) && each.is === is));
  await inThrees(mutants, async (mutant, at) => {
    if (!mutant) return t.fail(`no mutant of ${String(mustBeCaught[at]?.[0])}`);
    t.ok((await tryMutant(mutant)).failed, `${mutant.path}:${mutant.line} ${mutant.was} -> ${mutant.is}`);
  });
});
