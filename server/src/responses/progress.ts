/** How far the running on-demand scan has come, for whoever asks before its answer is there. */

export interface Progress {
  /** One scan runs at a time; the one that begins is the one that is asked about. @param pages that are finished. Returns what ends it */
  begin(requestId: string | undefined, pages: readonly unknown[]): () => void;
  /** Pages finished so far; undefined where no scan runs that was started under this id. */
  pagesOf(requestId: string): number | undefined;
}

export function createProgress(): Progress {
  let current: { readonly requestId: string | undefined; readonly pages: readonly unknown[] } | undefined;
  return {
    begin(requestId, pages) {
      const own = (current = { requestId, pages });
      return () => {
        if (current === own) current = undefined;
      };
    },
    pagesOf: requestId => (current?.requestId === requestId ? current.pages.length : undefined),
  };
}
