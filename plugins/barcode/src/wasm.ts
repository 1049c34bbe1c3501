/** Types for the part of WebAssembly that is used: TypeScript's libraries know it as a part of browsers only. */

/** Compiled and not instantiated; threads share it. */
export interface CompiledWasm {
  readonly [Symbol.toStringTag]: 'WebAssembly.Module';
}

interface WebAssemblyApi {
  compile(bytes: Uint8Array): Promise<CompiledWasm>;
  instantiate(compiled: CompiledWasm, imports: object): Promise<object>;
}

export const { compile, instantiate } = (globalThis as unknown as { WebAssembly: WebAssemblyApi }).WebAssembly;
