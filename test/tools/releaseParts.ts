/** The parts of `npm run release`, which are scripts without types. */
interface Tarball {
  readonly name: string;
  readonly version: string;
  readonly file: string;
}

export interface Release {
  readonly folder: string;
  readonly tarballs: readonly Tarball[];
}

interface Registry {
  readonly url: string;
  publish(tarball: string): Promise<void>;
  stop(): Promise<void>;
}

interface Desk {
  readonly folder: string;
  readonly modules: string;
  install(...packages: string[]): Promise<void>;
}

interface Figures {
  readonly seconds: number;
  readonly packages: number;
  readonly megabytes: number;
  readonly pages: number;
}

interface Installed {
  readonly desk: Desk;
  readonly env: object;
  readonly figures: Figures;
}

interface RefusalOptions {
  readonly clone: string;
  readonly version: string;
  readonly helpers: string;
  readonly env: Readonly<Record<string, string>>;
  readonly mode: 'all' | 'tag' | 'stage';
  published(name: string): Promise<boolean>;
}

interface Parts {
  ensureRelease(options?: { version?: string }): Promise<Release>;
  startRegistry(options: { folder: string }): Promise<Registry>;
  checkTarballs(tarballs: readonly Tarball[]): void;
  installAndScan(options: { folder: string; registry: string; version: string; cache: string }): Promise<Installed>;
  loadPlugins(desk: Desk, env: object): Promise<void>;
  scanVirtual(desk: Desk): Promise<number>;
  update(desk: Desk, options: { version: string; env: object }): Promise<{ before: string; after: string }>;
  withinLimits(figures: Figures): void;
  unpublished(
    tarballs: readonly Tarball[],
    published: (spec: string) => Promise<string | undefined>,
  ): Promise<readonly Tarball[]>;
  loadTool(name: string): Promise<unknown>;
  npm(...args: readonly string[]): string[];
  npmEnv(more?: object): Record<string, string>;
  tokenVariable(token: string | undefined, registry: string): object;
  sourcesOf(prebuilt: { folder: string; manifest: object }): string;
  refusals(options: RefusalOptions): Promise<string[]>;
}

const files = [
  'ensure',
  'registry',
  'check',
  'helpers',
  'npm',
  'publish',
  'refusals',
  'tools',
  'rehearsal/install',
  'rehearsal/rehearse',
];

export async function loadParts(): Promise<Parts> {
  const folder = new URL('../../../setup/release/', import.meta.url);
  const modules = await Promise.all(files.map(file => import(new URL(`${file}.mjs`, folder).href)));
  return Object.assign({}, ...modules) as Parts;
}
