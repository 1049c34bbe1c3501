/** One thing at a time: a vendor's interface takes no second call while it is at the first. */

export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** Each begins when the one before it is over, however that ended. */
export function inTurn(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return work => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}
