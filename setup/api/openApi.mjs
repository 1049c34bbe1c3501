/** The interface as the service serves it at /openapi.json. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../step.mjs';

/** @returns {Promise<string>} JSON with sorted keys; without the version, which changes with each release */
export async function openApi() {
  const { buildApp } = await import(pathToFileURL(join(root, 'server', 'dist', 'app.js')).href);
  // Only its route definitions are used.
  const services = { version: '' };
  const app = await buildApp({ services, security: { allowedOrigins: '*', allowedHosts: ['localhost'] } });
  const document = (await app.inject('/openapi.json')).json();
  await app.close();
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
