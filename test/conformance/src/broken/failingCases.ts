/** The cases of a suite that a rig fails, with their messages. */
import type { ContractCase } from '../contractTest.js';

export async function failingCases<Rig extends { dispose?(): Promise<void> }, Features>(
  cases: readonly ContractCase<Rig, Features>[],
  make: () => Rig,
  features: Features,
): Promise<Readonly<Record<string, unknown>>> {
  const failed: Record<string, unknown> = {};
  for (const each of cases) {
    if (each.skip?.(features)) continue;
    const rig = make();
    try {
      await each.run(rig, features);
    } catch (error) {
      failed[each.id] = error;
    } finally {
      await rig.dispose?.();
    }
  }
  return failed;
}
