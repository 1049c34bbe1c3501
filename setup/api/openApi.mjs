/** The interface as the service serves it at /openapi.json. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../step.mjs';

/** The plugins of an installation whose words requests may use. */
const plugins = ['format-png', 'format-jpeg', 'format-tiff', 'format-bmp', 'patch-codes'];

async function registryOf(names) {
  const { createRegistry } = await import(pathToFileURL(join(root, 'core', 'dist', 'server.js')).href);
  const registry = createRegistry();
  for (const name of names) {
    const { default: plugin } = await import(pathToFileURL(join(root, 'plugins', name, 'dist', 'plugin.js')).href);
    registry.add(plugin.name, await plugin.setup({ options: {} }));
  }
  return registry;
}

/** @returns {Promise<string>} JSON with sorted keys; without the version, which changes with each release */
export async function openApi() {
  const { buildApp } = await import(pathToFileURL(join(root, 'server', 'dist', 'service', 'app.js')).href);
  // Only its route definitions and the words of its plugins are used.
  const consent = { admits: () => true, hasToken: () => false, allows: () => true };
  const routeParts = { version: '', registry: await registryOf(plugins), consent };
  const app = await buildApp({ routeParts, security: { allowedHosts: ['localhost'] } });
  const document = (await app.inject('/openapi.json')).json();
  await app.close();
  await routeParts.registry.close();
  delete document.info.version;
  return `${JSON.stringify(sorted(document), null, 2)}\n`;
}

/** Lists keep their order: it says which comes first. */
function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map(key => [key, sorted(value[key])]),
  );
}
