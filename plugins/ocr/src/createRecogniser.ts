/** Makes the recogniser from the plugin's options: finds the languages and chooses the engine. */
import { mkdir, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import type { Log, PluginContext } from '@platen/core/plugin';
import { findLanguages, type LanguageData } from './languages.js';
import { nativeEngine, nativeVersion } from './nativeEngine.js';
import type { OcrOptions } from './options.js';
import type { Engine } from './engine.js';
import { ocrRecogniser, type ClosableRecogniser } from './recogniser.js';
import { unpackTessdata } from './tessdata.js';
import { wasmEngine } from './wasmEngine.js';

/** In the data folder: the program's language data, and pages while it reads them. */
const FOLDER = 'ocr';
const PAGES = 'pages';

/** @throws Error that says what to install */
export async function createRecogniser(context: PluginContext<OcrOptions>): Promise<ClosableRecogniser> {
  const { options, log, dataDir, packageFolders: folders = [] } = context;
  const { languages, workers = availableParallelism(), pageSeconds } = options;
  const engine = await chooseEngine(options, await findLanguages(languages, { folders }), dataDir, log);
  return ocrRecogniser({ engine, languages, workers, pageSeconds });
}

async function chooseEngine(
  { engine, program: named }: OcrOptions,
  languages: readonly LanguageData[],
  dataDir: string,
  log: Log,
): Promise<Engine> {
  if (engine === 'wasm') return wasmEngine(languages);
  const program = /[/\\]/.test(named) ? resolve(dataDir, named) : named;
  const found = await nativeVersion(program);
  if ('why' in found) {
    if (engine === 'native') {
      throw new Error(
        `options.engine is "native", and the program cannot be used (${found.why}): ` +
          'install Tesseract, name its program in options.program, or set "wasm"',
      );
    }
    log.info(`Text recognition uses the bundled engine (wasm); the program cannot be used: ${found.why}.`);
    return wasmEngine(languages);
  }
  log.info(`Text recognition uses the installed program, ${found.version}.`);
  const folder = join(dataDir, FOLDER);
  // Pages that a killed service left behind.
  await rm(join(folder, PAGES), { recursive: true, force: true });
  await mkdir(join(folder, PAGES), { recursive: true, mode: 0o700 });
  const data = await unpackTessdata(languages, folder);
  return nativeEngine({ program, folder, data, pages: PAGES, languages: languages.map(({ code }) => code) });
}
