/** Between `platen dev` and the process of its service. */

/** To the process, once: then it starts. It stops when the channel closes. */
export interface DevSetUp {
  /** The package's folder, absolute. */
  readonly folder: string;
  readonly name: string;
  readonly entry: string;
  readonly devModule?: string | undefined;
  readonly dataDir: string;
  /** 0: a free one. */
  readonly port: number;
  /** Over those of the development module, key by key. */
  readonly options?: Readonly<Record<string, unknown>> | undefined;
  /** Instead of the development module's. */
  readonly licence?: string | undefined;
}

/** From the process, once. */
export type DevAnswer =
  | { readonly port: number; readonly provides: readonly string[] }
  /** The sentence and the stack are on standard error already. */
  | { readonly failed: true; readonly isPlugin: boolean };
