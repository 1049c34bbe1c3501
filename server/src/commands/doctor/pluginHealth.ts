/** The doctor's check of the plugins' health: it asks those without drivers itself, and the service for the rest. */
import type { HealthAnswer } from '@platen/core';
import { ask } from '../../machine/ask.js';
import type { Facts } from './facts.js';
import { notReached, ok, type Outcome } from './finding.js';
import { questionOf } from './service.js';

/** The service waits for a plugin for 5 s (core/src/registry/health.ts). */
const ANSWER_MS = 10_000;

export async function pluginHealth(facts: Facts): Promise<Outcome> {
  if (!facts.plugins) return notReached('the plugins');
  const told = facts.root ? await toldByService(facts) : [];
  const own = facts.plugins.health.filter(({ plugin }) => !told.some(each => each.plugin === plugin));
  const health = [...told, ...own];
  const unwell = health.filter(({ state }) => state !== 'ok');
  if (health.length === 0) return { ...ok('no plugin tells it, or can be asked now'), health };
  if (unwell.length === 0) return { ...ok(`${health.map(({ plugin }) => plugin).join(', ')}: ok`), health };
  return {
    state: unwell.some(({ state }) => state === 'failed') ? 'failed' : 'warning',
    sentence: `${unwell.map(({ plugin, state }) => `${plugin}: ${state}`).join(', ')}.`,
    remedy: unwell.map(({ plugin, sentence }) => sentence ?? `${plugin} does not say why: ask its vendor.`).join('\n'),
    health,
  };
}

/** Empty from a service of another release, or one that does not answer: other checks say so. */
async function toldByService(facts: Facts): Promise<readonly HealthAnswer[]> {
  const reply = await ask({ ...questionOf(facts), path: '/app/plugins', timeoutMs: ANSWER_MS }).catch(() => undefined);
  const { health } = (reply?.json ?? {}) as { readonly health?: readonly HealthAnswer[] };
  return Array.isArray(health) ? health : [];
}
