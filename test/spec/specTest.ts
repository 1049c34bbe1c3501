/** What a test of the interface is: a function of a topology that names the clauses it holds the service to. */
import type { Test } from 'tap';
import { NotStarted, type Exit } from '../topology/platen.js';
import type { House, HouseOptions, Role, Topology } from '../topology/topology.js';
import type { ClauseId } from './clauses.js';

export interface SpecTest {
  /** Opens with the section of the interface document: `Errors: 504 when …`. Unique. */
  readonly title: string;
  readonly clauses: readonly ClauseId[];
  /** Scanners without which it cannot be run. */
  readonly needs?: readonly Role[];
  /** @param house one that the tests of a file share, with the topology's own configuration */
  run(t: Test, house: House, topology: Topology): Promise<void>;
}

/** @param clauses separated by blanks */
export function spec(title: string, clauses: ClauseId | readonly ClauseId[], run: SpecTest['run'], needs: readonly Role[] = []): SpecTest {
  return { title, clauses: typeof clauses === 'string' ? [clauses] : clauses, needs, run };
}

/** Whether this may happen to the topology's scanners; says so where it may not. */
export function canHappen(t: Test, topology: Topology, fault: string): boolean {
  const can = topology.faults === 'all' || topology.faults.includes(fault);
  if (!can) t.pass(fault, { skip: `${topology.name} has no such fault` });
  return can;
}

/**
 * Runs the tests one after the other over one house of the topology.
 * @param gaps tests that cannot apply, by their titles, each with the sentence that says why
 */
export function runSpec(
  t: Test,
  topology: Topology,
  tests: readonly SpecTest[],
  gaps: Readonly<Record<string, string>>,
): void {
  void t.test(topology.name, async t => {
    const house = await start(t, topology);
    for (const { title, needs = [], run } of tests) {
      const missing = needs.filter(role => !topology.roles.includes(role));
      const skip = gaps[title] ?? (missing.length > 0 ? `${topology.name} has no scanner that is ${missing.join(' or ')}` : false);
      await t.test(title, { skip }, t => run(t, house, topology));
    }
  });
}

/** A house of the test's own, stopped with the test; it must end well. */
export async function start(t: Test, topology: Topology, options?: HouseOptions): Promise<House> {
  const house = await topology.start(options);
  t.teardown(async () => {
    if (!t.passing()) t.comment(`What the service said:\n${house.log()}`);
    if (!t.passing() && house.desktop) t.comment(`What the desktop application said:\n${house.desktop.log()}`);
    const { code, log } = await house.stop();
    if (code !== 0) throw new Error(`The service ended with ${code}: ${log}`);
  });
  return house;
}

/** How a service ended that must not start. @throws where it does */
export async function refusedStart(topology: Topology, options: HouseOptions): Promise<Exit> {
  try {
    await (await topology.start(options)).stop();
  } catch (error) {
    if (error instanceof NotStarted) return error.exit;
    throw error;
  }
  throw new Error('The service started.');
}
