/** All of a rehearsal: two versions, a registry, three desks. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { StepError } from '../../step.mjs';
import { checkTarballs } from '../check.mjs';
import { startRegistry } from '../registry.mjs';
import { installAndScan, limits, loadPlugins, scanVirtual, update } from './install.mjs';

/**
 * @param {object} options
 * @param {string} options.folder for what it makes
 * @param {ReturnType<typeof import('./report.mjs').createReport>} options.report
 * @param {{ version: string, tarballs: { name: string, version: string, file: string }[] }} options.from a staged release
 * @param {{ version: string, tarballs: { name: string, version: string, file: string }[] }} options.to the one after it, for the update
 * @throws {StepError} naming what failed
 */
export async function rehearse({ folder, report, from, to }) {
  for (const { version, tarballs } of [from, to]) {
    await report.step(
      `check ${version}`,
      async () => checkTarballs(tarballs),
      () => sizeOf(tarballs),
    );
  }
  const registry = await report.step(
    'start a registry on loopback',
    () => startRegistry({ folder: join(folder, 'registry') }),
    ({ url }) => url,
  );
  const publish = ({ version, tarballs }) =>
    report.step(
      `publish ${version}`,
      async () => {
        for (const { file } of tarballs) await registry.publish(file);
      },
      () => `${tarballs.length} packages`,
    );
  const install = (title, desk, cache) =>
    report.step(
      `install ${from.version} and scan: ${title}`,
      async () => {
        const options = { registry: registry.url, version: from.version, cache: join(folder, cache) };
        const installed = await installAndScan({ folder: join(folder, desk), ...options });
        withinLimits(installed.figures);
        return installed;
      },
      ({ figures }) => said(figures),
    );
  try {
    await publish(from);
    const { desk, env } = await install('npm and the registry know nothing', 'desk', 'npm');
    await install('npm knows nothing', 'desk-cold', 'npm-cold');
    await install('npm has all in its cache', 'desk-warm', 'npm');
    await report.step('load every plugin of the configuration', () => loadPlugins(desk, env));
    await report.step(
      'scan with the virtual scanner',
      () => scanVirtual(desk),
      pages => `${pages} pages`,
    );
    await publish(to);
    await report.step(
      `update to ${to.version}, with a vendor's driver`,
      () => update(desk, { version: to.version, env }),
      ({ before, after }) => `${before} and ${after}: the vendor's driver and the helpers scan`,
    );
  } finally {
    await registry.stop();
  }
}

function sizeOf(tarballs) {
  const bytes = tarballs.reduce((sum, { file }) => sum + statSync(file).size, 0);
  return `${tarballs.length} packages, ${(bytes / 1e6).toFixed(1)} MB`;
}

/** Time depends on the computer and its network, and is told only. */
export function withinLimits({ packages, megabytes }) {
  if (packages > limits.packages) {
    throw new StepError(`An installation has ${packages} packages of others; the limit is ${limits.packages}.`);
  }
  if (megabytes > limits.megabytes) {
    throw new StepError(`An installation has ${megabytes.toFixed(1)} MB; the limit is ${limits.megabytes} MB.`);
  }
}

function said({ seconds, install, packages, ours, megabytes, pages }) {
  const late = seconds > limits.seconds ? ` (more than ${limits.seconds} s)` : '';
  return (
    `first ${pages} pages after ${seconds.toFixed(1)} s${late}, npm ${install.toFixed(1)} s; ` +
    `${packages} packages of others, ${ours} of ours, ${megabytes.toFixed(1)} MB; nothing compiled`
  );
}
