/** A test of the interface: a function of a topology, with the clauses that it verifies. */
import type { Test } from 'tap';
import { atProcessEnd } from '../topology/processEnd.js';
import { NotStarted, type Exit } from '../topology/platen.js';
import type { Fixture, FixtureOptions, Role, Topology } from '../topology/topology.js';
import type { ClauseId } from './clauses.js';

export interface SpecTest {
  /** Opens with the section of the interface document: `Errors: 504 when …`. Unique. */
  readonly title: string;
  readonly clauses: readonly ClauseId[];
  /** Scanners that it requires. */
  readonly needs?: readonly Role[];
  /** @param fixture shared by the tests of a run, with the topology's own configuration */
  run(t: Test, fixture: Fixture, topology: Topology): Promise<void>;
}

/** @param clauses separated by blanks */
export function spec(
  title: string,
  clauses: ClauseId | readonly ClauseId[],
  run: SpecTest['run'],
  needs: readonly Role[] = [],
): SpecTest {
  return { title, clauses: typeof clauses === 'string' ? [clauses] : clauses, needs, run };
}

/** Whether the topology's scanners can have this fault; if not, the test reports a skip. */
export function canHappen(t: Test, topology: Topology, fault: string): boolean {
  const can = topology.faults === 'all' || topology.faults.includes(fault);
  if (!can) t.pass(fault, { skip: `${topology.name} cannot have this fault` });
  return can;
}

/**
 * Runs the tests one at a time over one fixture of the topology.
 * @param gaps tests that do not apply, by title, each with the reason
 */
export function runSpec(
  t: Test,
  topology: Topology,
  tests: readonly SpecTest[],
  gaps: Readonly<Record<string, string>>,
): void {
  void t.test(topology.name, async t => {
    const fixture = await start(t, topology);
    for (const { title, needs = [], run } of tests) {
      const missing = needs.filter(role => !topology.roles.includes(role));
      const skip =
        gaps[title] ?? (missing.length > 0 ? `${topology.name} has no scanner that is ${missing.join(' or ')}` : false);
      await t.test(title, { skip }, t => run(t, fixture, topology));
    }
  });
}

/** Starts a fixture for one test and stops it at the test's end. @throws if the service ends with a failure */
export async function start(t: Test, topology: Topology, options?: FixtureOptions): Promise<Fixture> {
  const fixture = await topology.start(options);
  t.teardown(async () => {
    if (!t.passing()) t.comment(`The service's log:\n${fixture.log()}`);
    if (!t.passing() && fixture.desktop) t.comment(`The desktop application's log:\n${fixture.desktop.log()}`);
    await stop(fixture);
  });
  return fixture;
}

async function stop(fixture: Fixture): Promise<void> {
  const { code, log } = await fixture.stop();
  if (code !== 0) throw new Error(`The service ended with ${code}: ${log}`);
}

/** Limits that a request reaches at once; for `share`. */
export const meagre = { config: { clients: { maxStreams: 1 }, memory: { maxPixels: 1_000_000 } } };

const shared = new Map<string, Promise<Fixture>>();

/**
 * A fixture for all tests of this process that ask for one with the same options, and leave it as they found it. It stops
 * with the process.
 */
export function share(topology: Topology, options: Omit<FixtureOptions, 'prepare'> = {}): Promise<Fixture> {
  const key = JSON.stringify([topology.name, options]);
  const started = shared.get(key) ?? topology.start(options);
  if (!shared.has(key)) atProcessEnd(async () => stop(await started));
  shared.set(key, started);
  return started;
}

/** Starts a service that must refuse to start. @returns how it ended @throws if it starts */
export async function refusedStart(topology: Topology, options: FixtureOptions): Promise<Exit> {
  try {
    await (await topology.start(options)).stop();
  } catch (error) {
    if (error instanceof NotStarted) return error.exit;
    throw error;
  }
  throw new Error('The service started.');
}
