/** The chosen scanner with its settings, and the preview of its flatbed. */
import type { ScannedPage, Scanner, ScanParameters, StartParameters } from '../../client/shapes.js';
import type { Context } from '../context.js';
import type { Options } from '../options.js';
import { createScannerUse } from '../scanning/scannerUse.js';
import { createScanners, type Scanners } from '../scanning/scanners.js';
import { createPreview, type Preview, previewParameters } from './preview.js';
import { saveSeparatorSheet } from '../output/separatorSheet.js';
import { createSettings, type Settings } from './settings.js';
import type { Known } from './parameters.js';
import type { PluginChanges } from './pluginChanges.js';

export interface ChosenParts {
  readonly context: Context;
  options(): Options;
  /** Scans for a preview. @returns undefined if there is no page */
  onPreview(scanner: string, parameters: ScanParameters): Promise<ScannedPage | undefined>;
  fail(error: unknown): Promise<void>;
}

export interface Chosen {
  readonly scanners: Scanners;
  readonly settings: Settings;
  readonly preview: Preview;
  /** What is known of the chosen scanner. */
  readonly known: Known | undefined;
  /** Whether Scan can be pressed. */
  readonly canScan: boolean;
  /** Whether the scanner and the settings allow auto-scan. */
  readonly feeds: boolean;
  /** Asks the service for the scanners. @param onListed the list is there */
  look(onListed: () => void): Promise<void>;
  /** Undefined: Scan cannot be pressed. @param isAgain of one sheet, if the scanner can count */
  parameters(isAgain: boolean): StartParameters | undefined;
  /** The embedder fixes other parameters. */
  renew(): void;
  dispose(): void;
}

export function createChosen({ context, options, onPreview, fail }: ChosenParts): Chosen {
  const { client } = context;
  const scanners = createScanners(context, scanner => void choose(scanner));
  const use = createScannerUse(context, scanners);
  const settings = createSettings({
    context,
    fixed: () => fixed(options()),
    whyOff: kind => changes?.whyOff(kind),
    onPreview: () => void previewFlatbed().catch(fail),
    onSeparatorSheet: () => void saveSeparatorSheet(context).catch(fail),
  });
  const preview = createPreview({
    context,
    onAgain: () => void previewFlatbed().catch(fail),
    onUse: area => settings.takeArea(area),
  });
  let known: Known | undefined;
  let changes: PluginChanges | undefined;
  let isOver = false;

  async function read(name: string, consent?: false): Promise<Known> {
    const [can, profiles] = await Promise.all([
      client.capabilities(name, { details: true, consent }),
      client.profiles({ consent }),
    ]);
    return { scanner: name, can, profiles };
  }

  async function choose(scanner: Scanner): Promise<void> {
    settings.say('settings.reading');
    known = undefined;
    try {
      const found = await read(scanner.name);
      if (scanners.chosen !== scanner) return;
      known = found;
      settings.show(known);
      changes?.compare();
    } catch (error) {
      if (scanners.chosen !== scanner) return;
      settings.say('settings.unread');
      await fail(error);
    }
    context.changed();
  }

  /** Plugins are switched while the service runs. A scan that runs, pages and what the person chose stay as they are. */
  async function followPlugins(): Promise<void> {
    const { createPluginChanges } = await import('./pluginChanges.js');
    if (isOver) return;
    changes ??= createPluginChanges({
      client,
      known: () => known,
      read: ({ scanner }) => read(scanner, false),
      show(next) {
        known = next;
        settings.showAgain(next);
      },
      changed: context.changed,
    });
    changes.follow();
  }

  async function previewFlatbed(): Promise<void> {
    const limits = known?.can.details?.sources.flatbed?.area;
    if (!known || !limits) return;
    const page = await onPreview(known.scanner, previewParameters(known.can));
    if (page) preview.open(page, limits, settings.area);
    else context.focus('preview');
  }

  return {
    ...{ scanners, settings, preview },
    get known() {
      return known;
    },
    get canScan() {
      return scanners.chosen !== undefined && settings.parameters !== undefined;
    },
    get feeds() {
      return scanners.chosen?.hasFeeder === true && !settings.isFlatbed;
    },
    async look(onListed) {
      scanners.wait();
      const { scanner } = options();
      try {
        scanners.show(await client.listScanners({ details: true }), scanner);
        onListed();
        use.follow();
        // Without it, changes are seen after a reload.
        void followPlugins().catch(() => undefined);
        if (scanners.all.length > 0) context.announce(context.words('scanner.found', { count: scanners.all.length }));
        else scanners.say(scanner === undefined ? 'scanner.none' : 'scanner.missing', 'scanner.none-remedy');
      } catch (error) {
        scanners.say('scanner.not-listed', 'scanner.not-listed-remedy');
        await fail(error);
      }
      if (!scanners.chosen) settings.say('settings.chooseScanner');
    },
    parameters(isAgain) {
      const { parameters } = settings;
      if (!parameters || !isAgain) return parameters;
      const counts = known?.can.details?.sources.feeder?.controls.sheets !== undefined && !settings.isFlatbed;
      return { ...parameters, ...(counts && { sheets: 1 }) };
    },
    renew() {
      if (known) settings.show(known);
    },
    dispose() {
      isOver = true;
      use.end();
      changes?.end();
      preview.close();
    },
  };
}

/** Parameters without a control. */
function fixed({ parameters, profile }: Options): StartParameters {
  return { ...parameters, ...(profile !== undefined && { profile }) };
}
