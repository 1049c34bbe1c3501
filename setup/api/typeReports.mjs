/** The types that packages of others are compiled against, from the built declarations: API Extractor's reports. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor';
import { root } from '../step.mjs';

/** By the report's file: where the package is, and its entry. */
const entries = {
  'core-plugin.md': { package: '@platen/core/plugin', folder: 'core', file: 'dist/plugin.d.ts' },
  'core-driver.md': { package: '@platen/core/driver', folder: 'core', file: 'dist/driver.d.ts' },
  'core-wire.md': { package: '@platen/core/wire', folder: 'core', file: 'dist/wire.d.ts' },
  'conformance.md': { package: '@platen/conformance', folder: 'test/conformance', file: 'dist/conformance.d.ts' },
  'client.md': { package: '@platen/client', folder: 'clients/web', file: 'dist/client.d.ts' },
};

const compilerOptions = {
  target: 'ES2022',
  lib: ['ES2023', 'DOM', 'DOM.Iterable'],
  module: 'NodeNext',
  moduleResolution: 'NodeNext',
  types: ['node'],
  typeRoots: [join(root, 'node_modules', '@types')],
  strict: true,
  skipLibCheck: true,
};

/** What says whether a name has a docstring: better words are no change of the surface. */
const aboutWords = /^ *\/\/ (\(undocumented\)|@public.*)\n/gm;

/** @returns {Record<string, string>} by the report's file, its text */
export function typeReports() {
  return Object.fromEntries(Object.entries(entries).map(([file, entry]) => [file, report(entry)]));
}

function report({ package: name, folder, file }) {
  const out = mkdtempSync(join(tmpdir(), 'platen-api-'));
  try {
    const { succeeded } = Extractor.invoke(configuration({ folder: join(root, folder), file, out }), {
      localBuild: true,
      messageCallback: message => {
        // Errors of the compiler, such as a type that is not found, would leave holes in the report.
        if (message.category === 'Compiler') throw new Error(`${name}: ${message.text}`);
        message.handled = true;
      },
    });
    if (!succeeded) throw new Error(`${name}: API Extractor made no report.`);
    const [, code = ''] = /```ts\n([\s\S]*)```/.exec(readFileSync(join(out, 'report.api.md'), 'utf8')) ?? [];
    const types = code.replace(aboutWords, '').replace(/^\/\/ \(No @packageDocumentation.*\n/m, '');
    return `# ${name}\n\nMade by \`npm run api\`; not edited by hand.\n\n\`\`\`ts\n${types.trim()}\n\`\`\`\n`;
  } finally {
    rmSync(out, { recursive: true });
  }
}

function configuration({ folder, file, out }) {
  const off = { default: { logLevel: ExtractorLogLevel.None } };
  return ExtractorConfig.prepare({
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath: join(folder, file),
      newlineKind: 'lf',
      compiler: { overrideTsconfig: { compilerOptions, files: [file] } },
      apiReport: {
        enabled: true,
        reportFileName: 'report.api.md',
        reportFolder: out,
        reportTempFolder: join(out, 'temp'),
        includeForgottenExports: true,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      // Its rules for docstrings are not ours.
      messages: {
        extractorMessageReporting: off,
        tsdocMessageReporting: off,
        compilerMessageReporting: { default: { logLevel: ExtractorLogLevel.Error } },
      },
    },
    configObjectFullPath: join(folder, 'package.json'),
    packageJsonFullPath: join(folder, 'package.json'),
  });
}
