/** Bytes that several users share. Who has least goes first, and one of them always goes on, however large its item is. */

export interface ByteBudget {
  /** For one user. @param onRoom called when there may be room again */
  open(onRoom: () => void): BudgetShare;
  /** Bytes that are in use. */
  readonly used: number;
}

export interface BudgetShare {
  /**
   * Takes so many bytes, if there is room and nobody with less waits for it. Otherwise it waits: ask again after `onRoom`.
   * @returns whether they are taken
   */
  reserve(bytes: number): boolean;
  /** An item turned out larger or smaller than what was reserved for it. May exceed the budget. */
  add(bytes: number): void;
  give(bytes: number): void;
  /** It waits no more. What it still has, it gives later. */
  leave(): void;
}

interface User {
  used: number;
  /** Its turn among those that have as much; undefined while it does not wait. */
  turn: number | undefined;
}

export function createByteBudget(limit: number): ByteBudget {
  const waiting = new Map<User, () => void>();
  let total = 0;
  let turns = 0;

  const wake = (): void => {
    for (const onRoom of [...waiting.values()]) onRoom();
  };
  const isBefore = (a: User, b: User): boolean =>
    a.used < b.used || (a.used === b.used && (a.turn ?? 0) < (b.turn ?? 0));

  return {
    get used() {
      return total;
    },
    open(onRoom) {
      const user: User = { used: 0, turn: undefined };
      const change = (bytes: number): void => {
        user.used += bytes;
        total += bytes;
      };
      const leave = (): void => {
        user.turn = undefined;
        if (waiting.delete(user)) wake();
      };
      return {
        reserve(bytes) {
          user.turn ??= ++turns;
          const fits = total === 0 || total + Math.max(1, bytes) <= limit;
          if (!fits || [...waiting.keys()].some(other => other !== user && isBefore(other, user))) {
            waiting.set(user, onRoom);
            return false;
          }
          change(bytes);
          leave();
          return true;
        },
        add: change,
        give(bytes) {
          change(-bytes);
          wake();
        },
        leave,
      };
    },
  };
}
