/** The little of WebAssembly that is used, with types: the compiler's libraries know it as a part of browsers only. */

/** Compiled, not yet running; threads share it. */
export interface CompiledWasm {
  readonly [Symbol.toStringTag]: 'WebAssembly.Module';
}

interface WebAssemblyApi {
  compile(bytes: Uint8Array): Promise<CompiledWasm>;
  instantiate(compiled: CompiledWasm, imports: object): Promise<object>;
}

export const { compile, instantiate } = (globalThis as unknown as { WebAssembly: WebAssemblyApi }).WebAssembly;
