/** Capabilities of devices, as their makers write them. */
import { readFileSync } from 'node:fs';
import { readScannerCapabilities, type ScannerCapabilities } from './protocol/scannerCapabilities.js';

export function capabilitiesOfFixture(name: string): ScannerCapabilities {
  return readScannerCapabilities(readFileSync(new URL(`../fixtures/${name}.xml`, import.meta.url)));
}
