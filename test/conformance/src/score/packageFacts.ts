/** What the checks of a package look at: its package.json, its packed files, its plugin as the service loads it. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadPlugins, resolvePlugin, type PluginReport } from '@platen/core';
import { messageOf, nullLog, type Plugin } from '@platen/core/plugin';
import type { ContractCase } from '../contractTest.js';
import { withDeadline } from '../driverCases/deadline.js';
import type { FoundPackage, Manifest } from './findPackage.js';
import { packedFiles } from './packed.js';

export interface PackageFacts {
  readonly name: string;
  readonly manifest: Manifest;
  /** Relative, with `/`; or why npm cannot say. */
  readonly packed: readonly string[] | { readonly fault: string };
  /** The default export; undefined if it cannot be imported. */
  readonly plugin: Partial<Plugin> | undefined;
  /** What the service says when it loads the plugin. */
  readonly loaded: PluginReport;
  /** It is told of scans. */
  readonly follows: boolean;
  /** The lowest version of Node that core runs on. */
  readonly coreNode: string;
}

/** There is no rig: the facts are the features. */
export type PackageCase = ContractCase<object, PackageFacts>;

/** A licence for this run: whether the plugin has a key, its own case looks at. */
const entitle = async () => ({ customer: 'the conformance suites', expires: new Date(Date.now() + 365 * 864e5) });

/**
 * @param published the folder whose package.json and files are published: the package's own, or a staged copy
 * @param options to load the plugin with
 */
export async function packageFacts(
  { folder, name }: FoundPackage,
  published: FoundPackage,
  options: Record<string, unknown>,
): Promise<PackageFacts> {
  const core = JSON.parse(await readFile(new URL(import.meta.resolve('@platen/core/package.json')), 'utf8')) as {
    readonly engines: { readonly node: string };
  };
  return {
    name,
    manifest: published.manifest,
    packed: await packedFiles(published.folder).catch((error: unknown) => ({ fault: messageOf(error) })),
    plugin: await pluginAt(folder),
    ...(await loadedBy(folder, options)),
    coreNode: core.engines.node,
  };
}

async function pluginAt(folder: string): Promise<Partial<Plugin> | undefined> {
  const resolved = await resolvePlugin(folder, [folder]);
  const module: unknown = resolved && (await import(resolved.url).catch(() => undefined));
  const { default: plugin } = (module ?? {}) as { readonly default?: unknown };
  return typeof plugin === 'object' && plugin !== null ? plugin : undefined;
}

async function loadedBy(
  folder: string,
  options: Record<string, unknown>,
): Promise<Pick<PackageFacts, 'loaded' | 'follows'>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'platen-conformance-'));
  try {
    const { registry, reports } = await loadPlugins({
      entries: [{ use: folder, enabled: true, required: false, options }],
      folders: [folder],
      dataDir,
      log: () => nullLog,
      entitle,
    });
    // How a driver closes, its suites look at; here it holds up nothing.
    await withDeadline(registry.close(), 'the close').catch(() => undefined);
    const [loaded] = reports;
    if (!loaded) throw new Error('the service says nothing of the plugin');
    return { loaded, follows: registry.followers.length > 0 };
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
