/** The versions that a report names. */
import { readFileSync } from 'node:fs';
import type { Report } from './report.js';

export function versions(): Report['versions'] {
  return {
    core: versionAt(new URL(import.meta.resolve('@platen/core/package.json'))),
    conformance: conformanceVersion(),
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
  };
}

export function conformanceVersion(): string {
  return versionAt(new URL('../../package.json', import.meta.url));
}

function versionAt(url: URL): string {
  return (JSON.parse(readFileSync(url, 'utf8')) as { readonly version: string }).version;
}
