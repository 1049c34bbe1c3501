/** The text of `GET /metrics`: what was counted, and what the service holds now. */
import { readdir } from 'node:fs/promises';
import { arch } from 'node:os';
import type { Clock, Health, HealthAnswer, KeptScans, PluginReport, ScanService, Semaphore, Spool } from '@platen/core';
import { platform } from '../../machine/platform.js';
import type { Desktop } from '../desktop.js';
import { countOf, pluginStates } from '../../machine/plugins/states.js';
import type { Clients } from '../responses/clients.js';
import { lastingOf, readCertificates, servedOf } from '../../machine/tls/certificate.js';
import { exposition, type Family, type Sample } from './exposition.js';
import type { Tally } from './tally.js';

export interface Metrics {
  readonly tally: Tally;
  text(): Promise<string>;
}

export interface MetricsParts {
  readonly tally: Tally;
  readonly scans: Pick<ScanService, 'load'>;
  readonly kept: Pick<KeptScans, 'totals'>;
  readonly clients: Pick<Clients, 'open'>;
  readonly spool: Pick<Spool, 'used'>;
  readonly pool: Pick<Semaphore, 'waiting'>;
  readonly desktop: Desktop;
  readonly plugins: { readonly reports: readonly PluginReport[] };
  readonly health: Pick<Health, 'ask'>;
  readonly clock: Clock;
  readonly dataDir: string;
  readonly version: string;
}

export function createMetrics(parts: MetricsParts): Metrics {
  const { tally } = parts;
  return {
    tally,
    async text() {
      return exposition([
        ...tally.families(),
        ...holds(parts),
        ...plugins(parts),
        ...declared(await parts.health.ask()),
        ...(await certificate(parts)),
        ...(await processNow()),
      ]);
    },
  };
}

const gauge = (name: string, help: string, value: number): Family => ({
  name,
  help,
  type: 'gauge',
  samples: [{ value }],
});

/** What the service holds now. */
function holds({ scans, kept, clients, spool, pool, desktop, version }: MetricsParts): Family[] {
  const { scans: running, autoscanPages } = scans.load();
  const { scans: keptScans, bytes } = kept.totals();
  const { memory, disk } = spool.used;
  const { streams, documents, unread } = clients.open;
  return [
    {
      name: 'platen_build_info',
      help: 'Always 1; its labels are the versions.',
      type: 'gauge',
      samples: [{ labels: { version, node: process.versions.node, platform, arch: arch() }, value: 1 }],
    },
    gauge(
      'platen_desktop_connected',
      '1 if the desktop application is connected, or not needed.',
      Number(desktop.connected),
    ),
    gauge('platen_scans_running', 'On-demand scans that run, or look for their scanner.', running),
    gauge('platen_page_tasks_waiting', 'Pages and other work on pixels that wait for a processor.', pool.waiting),
    gauge('platen_autoscan_pages_waiting', 'Pages of auto-scan that no reader took yet.', autoscanPages),
    gauge('platen_kept_scans', 'Scans that wait for their clients, or run.', keptScans),
    gauge('platen_kept_bytes', 'Bytes of their pages.', bytes),
    gauge('platen_event_streams', 'Open event streams.', streams),
    gauge('platen_documents_sending', 'Documents that are being sent.', documents),
    gauge('platen_unread_answers', 'Answers of scans that wait for clients that do not read them.', unread),
    {
      name: 'platen_spool_bytes',
      help: 'Bytes of finished pages in the spool.',
      type: 'gauge',
      samples: [
        { labels: { place: 'memory' }, value: memory },
        { labels: { place: 'disk' }, value: disk },
      ],
    },
  ];
}

function plugins({ plugins: { reports }, clock }: MetricsParts): Family[] {
  return [
    {
      name: 'platen_plugins',
      help: 'Plugins of the configuration, by state.',
      type: 'gauge',
      samples: pluginStates.map(state => ({ labels: { state }, value: countOf(reports, state) })),
    },
    {
      name: 'platen_licence_remaining_seconds',
      help: 'Seconds until the licence of a loaded plugin ends; a day has 86400.',
      type: 'gauge',
      samples: reports.flatMap(({ use, entitlement }) =>
        entitlement
          ? [{ labels: { plugin: use }, value: Math.round((entitlement.expires.getTime() - clock.now()) / 1000) }]
          : [],
      ),
    },
  ];
}

/** What plugins declare of their health, and its state. The first plugin that declares a name says of which type it is. */
function declared(answers: readonly HealthAnswer[]): Family[] {
  const families = new Map<string, Family & { readonly samples: Sample[]; readonly seen: Set<string> }>();
  for (const { plugin, facts } of answers)
    for (const { name, value, device, metric, title } of facts) {
      // Prometheus' own rules for names.
      if (!metric || typeof value !== 'number' || /_(?:bucket|count|sum|info)$/.test(name)) continue;
      if ((metric === 'counter') !== name.endsWith('_total')) continue;
      const family = families.get(name) ?? {
        name: `platen_plugin_${name}`,
        help: `${title ?? name}, as a plugin tells it.`,
        type: metric,
        samples: [],
        seen: new Set<string>(),
      };
      const series = JSON.stringify([plugin, device]);
      if (family.type !== metric || family.seen.has(series)) continue;
      families.set(name, family);
      family.seen.add(series);
      family.samples.push({ labels: { plugin, ...(device === undefined ? {} : { scanner: device }) }, value });
    }
  return [
    {
      name: 'platen_plugin_healthy',
      help: '1 if a plugin that tells its health says ok, else 0.',
      type: 'gauge',
      samples: answers.map(({ plugin, state }) => ({ labels: { plugin }, value: Number(state === 'ok') })),
    },
    ...[...families.values()].filter(({ name }) => name !== 'platen_plugin_healthy'),
  ];
}

/** Nothing if there is no valid certificate: the log says so. */
async function certificate({ dataDir }: MetricsParts): Promise<Family[]> {
  const now = new Date();
  try {
    const found = await readCertificates(dataDir, now);
    const { until } = lastingOf(servedOf(found, now), found.usable, found.isTrusted, now);
    const help = 'Seconds until the last trusted certificate expires; a day has 86400.';
    return [gauge('platen_certificate_remaining_seconds', help, Math.round((until.getTime() - now.getTime()) / 1000))];
  } catch {
    return [];
  }
}

/** With the names that Prometheus' own clients use. */
async function processNow(): Promise<Family[]> {
  const { rss, heapTotal, heapUsed, external } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  // Linux only.
  const descriptors = await readdir('/proc/self/fd').catch(() => undefined);
  return [
    gauge('process_resident_memory_bytes', 'Resident memory of the service, without helper processes.', rss),
    gauge('nodejs_heap_size_total_bytes', 'Size of the heap.', heapTotal),
    gauge('nodejs_heap_size_used_bytes', 'Bytes of the heap that are used.', heapUsed),
    gauge('nodejs_external_memory_bytes', 'Memory of buffers and native objects.', external),
    ...(descriptors ? [gauge('process_open_fds', 'Open file descriptors.', descriptors.length)] : []),
    {
      name: 'process_cpu_seconds_total',
      help: 'Processor time of the service, without helper processes.',
      type: 'counter',
      samples: [{ value: (user + system) / 1e6 }],
    },
    gauge(
      'process_start_time_seconds',
      'When the process started, in seconds since 1970.',
      Date.now() / 1000 - process.uptime(),
    ),
  ];
}
