/** How far the running on-demand scan has come, for whoever asks before its answer is there. */

export interface Progress {
  /** One scan runs at a time; the one that begins is the one that is asked about. */
  begin(requestId: string | undefined): { page(): void; end(): void };
  /** Pages finished so far; undefined where no scan runs that was started under this id. */
  pagesOf(requestId: string): number | undefined;
}

export function createProgress(): Progress {
  let current: { readonly requestId: string | undefined; pages: number } | undefined;
  return {
    begin(requestId) {
      const own = (current = { requestId, pages: 0 });
      return {
        page: () => void own.pages++,
        end() {
          if (current === own) current = undefined;
        },
      };
    },
    pagesOf: requestId => (current?.requestId === requestId ? current.pages : undefined),
  };
}
