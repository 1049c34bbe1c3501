/** The progress of the running on-demand scan, for clients that ask before its answer is ready. */

export interface Progress {
  /**
   * Sets the scan to report on; one runs at a time.
   * @param pages counts the finished ones
   * @returns ends the reporting
   */
  begin(requestId: string | undefined, pages: readonly unknown[]): () => void;
  /** The number of finished pages; undefined if no scan with this id is running. */
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
