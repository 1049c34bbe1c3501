/** Rows out of bytes that come in pieces of any length. */

export interface Rows {
  push(piece: Uint8Array): void;
  /** The last row may end without its padding. @returns whether nothing was left over */
  end(): boolean;
}

/** @param least bytes of a row without its padding @param onRow each whole row, good until the next */
export function createRows(bytesPerRow: number, least: number, onRow: (row: Uint8Array) => void): Rows {
  const carry = new Uint8Array(bytesPerRow);
  let carried = 0;
  return {
    push(piece) {
      let at = 0;
      if (carried > 0) {
        at = Math.min(bytesPerRow - carried, piece.length);
        carry.set(piece.subarray(0, at), carried);
        carried += at;
        if (carried < bytesPerRow) return;
        carried = 0;
        onRow(carry);
      }
      for (; at + bytesPerRow <= piece.length; at += bytesPerRow) onRow(piece.subarray(at, at + bytesPerRow));
      carry.set(piece.subarray(at));
      carried = piece.length - at;
    },
    end() {
      const left = carried;
      carried = 0;
      if (left >= least) onRow(carry.subarray(0, left));
      return left === 0 || left >= least;
    },
  };
}
