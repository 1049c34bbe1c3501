/** Why a file is not a usable bundle: the message is a clause, such as "it ends too early". */

/** Its catcher makes a sentence of it, with the file's name and the fix. */
export class BundleFault extends Error {
  override readonly name = 'BundleFault';
}
