/** Capabilities of devices, as their makers write them. */
import { readFileSync } from 'node:fs';
import { readMachine, type Machine } from './machine.js';

export function machineOf(name: string): Machine {
  return readMachine(readFileSync(new URL(`../fixtures/${name}.xml`, import.meta.url)));
}
