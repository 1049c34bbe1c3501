/** Looks at a service and its processes from outside, and by the probe in them. */
import { readdirSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { House } from './house.js';
import type { Held } from './measures.js';
import type { Probed } from './probe.js';
import { processTree, type ProcessFacts } from '../topology/processTree.js';

const LOOK_MS = 1000;

/** What the processes hold now, without a garbage collection. */
export interface Glance {
  readonly memory: number;
  readonly descriptors: number;
  readonly threads: number;
  readonly processes: number;
  readonly files: number;
}

export function glance({ service }: House): Glance {
  const tree = processTree(service.pid);
  return {
    memory: sum(tree, 'rss'),
    descriptors: sum(tree, 'descriptors'),
    threads: sum(tree, 'threads'),
    processes: tree.length,
    files: filesThatWait(service.dataDir).length,
  };
}

/** Several looks over some seconds, each after a garbage collection, and what the service said of itself at each. */
export async function looks(
  house: House,
  count: number,
): Promise<readonly { readonly held: Held; readonly probed: Probed }[]> {
  const taken: { held: Held; probed: Probed }[] = [];
  for (let look = 0; look < count; look++) {
    const probed = await probe(house);
    await pause(LOOK_MS);
    const [own, ...helpers] = processTree(house.service.pid);
    const held = {
      memory: own!.rss,
      helperMemory: sum(helpers, 'rss'),
      heap: probed.heapUsed + probed.external,
      descriptors: own!.descriptors,
      helperDescriptors: sum(helpers, 'descriptors'),
      handles: handlesOf(probed),
      threads: own!.threads + sum(helpers, 'threads'),
      processes: 1 + helpers.length,
      files: filesThatWait(house.service.dataDir).length,
    };
    taken.push({ held, probed });
  }
  return taken;
}

export const handlesOf = ({ resources }: Probed): number =>
  Object.values(resources).reduce((all, each) => all + each, 0);

/** What the service says of itself; its helpers on Node collect their garbage, too. */
async function probe({ service, probes }: House): Promise<Probed> {
  const ready = processTree(service.pid).filter(({ pid }) => readdirSync(probes).includes(`${pid}.ready`));
  for (const { pid } of ready) process.kill(pid, 'SIGUSR2');
  for (;;) {
    const names = new Set(readdirSync(probes));
    if (ready.every(({ pid }) => names.has(`${pid}.json`))) break;
    await pause(50);
  }
  const own = JSON.parse(await readFile(join(probes, `${service.pid}.json`), 'utf8')) as Probed;
  for (const { pid } of ready) await rm(join(probes, `${pid}.json`));
  return own;
}

/** Pages that wait for a client. */
export function filesThatWait(dataDir: string): string[] {
  return ['spool', 'scans'].flatMap(folder => {
    try {
      return readdirSync(join(dataDir, folder), { recursive: true, withFileTypes: true })
        .filter(each => each.isFile())
        .map(({ parentPath, name }) => join(parentPath, name));
    } catch {
      return [];
    }
  });
}

const sum = (tree: readonly ProcessFacts[], name: 'rss' | 'descriptors' | 'threads'): number =>
  tree.reduce((all, each) => all + each[name], 0);
