/** From options to a recogniser: finds the languages, and chooses the engine. */
import { mkdir, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import type { Log, PluginContext } from '@platen/core/plugin';
import { findLanguages, type LanguageData } from './languages.js';
import { nativeEngine, nativeVersion } from './nativeEngine.js';
import type { OcrOptions } from './options.js';
import type { Engine } from './reader.js';
import { ocrRecogniser } from './recogniser.js';
import { unpackedData } from './unpackedData.js';
import { wasmEngine } from './wasmEngine.js';

/** Of the data folder; the program's data, and pages while it reads them. */
const FOLDER = 'ocr';
const PAGES = 'pages';

/** @throws Error with a sentence that says what to install */
export async function setUp({ options, log, dataDir, packageFolders }: PluginContext<OcrOptions>): Promise<ReturnType<typeof ocrRecogniser>> {
  const languages = await findLanguages(options.languages, { folders: packageFolders ?? [] });
  const engine = await chooseEngine(options, languages, dataDir, log);
  return ocrRecogniser({ engine, languages: options.languages, workers: options.workers ?? availableParallelism(), pageSeconds: options.pageSeconds });
}

async function chooseEngine({ engine, program: named }: OcrOptions, languages: readonly LanguageData[], dataDir: string, log: Log): Promise<Engine> {
  if (engine === 'wasm') return wasmEngine(languages);
  const program = /[/\\]/.test(named) ? resolve(dataDir, named) : named;
  const found = await nativeVersion(program);
  if ('why' in found) {
    if (engine === 'native') {
      throw new Error(`options.engine is "native", and the program cannot be used (${found.why}): install Tesseract, name its program in options.program, or set "wasm"`);
    }
    log.info(`Text is read by the engine "wasm", as the program cannot be used: ${found.why}.`);
    return wasmEngine(languages);
  }
  log.info(`Text is read by ${found.version}, the program of this computer.`);
  const folder = join(dataDir, FOLDER);
  // What a service that was killed has left there.
  await rm(join(folder, PAGES), { recursive: true, force: true });
  await mkdir(join(folder, PAGES), { recursive: true, mode: 0o700 });
  return nativeEngine({ program, folder, data: await unpackedData(languages, folder), pages: PAGES, languages: languages.map(each => each.code) });
}
