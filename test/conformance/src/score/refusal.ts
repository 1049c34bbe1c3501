/** Why `platen-conformance` cannot run, in a sentence that says what to do. It ends with the exit code 2. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}
