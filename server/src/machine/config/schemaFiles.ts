/** The schemas of the configurations as files, for editors; run as a program, this module writes them. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { serverFolder } from '../packageFolders.js';
import { ConfigSchema, HostConfigSchema } from './schema.js';

const folder = pathToFileURL(join(serverFolder, 'config', '/'));

export const schemaFiles = [
  { file: new URL('schema.json', folder), schema: ConfigSchema },
  { file: new URL('host.schema.json', folder), schema: HostConfigSchema },
];

/** The file's content. */
export function schemaText(schema: object): string {
  return `${JSON.stringify({ $schema: 'http://json-schema.org/draft-07/schema#', ...schema }, undefined, 2)}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { file, schema } of schemaFiles) await writeFile(file, schemaText(schema));
}
