/** The mutants' programs, with their types. */

export interface Mutant {
  readonly target: string;
  readonly file: string;
  readonly path: string;
  readonly line: number;
  /** The line as it is in the file. */
  readonly text: string;
  readonly was: string;
  readonly is: string;
}
export type Found = { readonly failed?: string; readonly message?: string };

const of = async <Module>(name: string) =>
  (await import(new URL(`../../../setup/mutants/${name}.mjs`, import.meta.url).href)) as Module;
const { allMutants } = await of<{ allMutants(target: string): Mutant[] }>('allMutants');
export const { mutantsOf } = await of<{ mutantsOf(text: string): { was: string; is: string; line: number }[] }>(
  'mutate',
);
export const { tryMutant } = await of<{ tryMutant(mutant: Partial<Mutant>): Promise<Found> }>('tryMutant');

/** One for each promise that the fake driver's own code keeps: its line, and what it becomes. */
const mustBeCaught: readonly (readonly [text: RegExp, is: string])[] = [
  [/scanner\.tray--/, 'scanner.tray++'],
  [/throw new ScanError\('no-paper'/, ';'],
  [/throw new ScanError\('busy', `\$\{scanner\.device\.name\} is open/, ';'],
  [/yield pageOf\(scan, fed\.sheet, 'back'\)/, ';'],
  [/width \* height <= scan\.order\.maxPixels/, '!(width * height <= scan.order.maxPixels)'],
  [/checkDriverOptions\(/, ';'],
];

/** Mutants that break a promise plainly. */
export function plainMutants(): Mutant[] {
  const all = allMutants('fake');
  return mustBeCaught.map(([text, is]) => {
    const found = all.find(each => text.test(each.text) && each.is === is);
    if (!found) throw new Error(`no mutant of ${String(text)}`);
    return found;
  });
}
