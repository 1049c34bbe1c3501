/** The transfers of one data source: the pages of states 6 and 7, and TWAIN's count of those that are pending. */
import { statusOf, type Frame } from '@platen/driver-kit';
import { CC, Refusal, unlessRefused } from '../protocol/conditions.js';
import { DAT, DG, MSG, RC } from '../protocol/constants.js';
import { readPending, sizes } from '../protocol/structures.js';
import type { Deadlines } from '../settings.js';
import type { Connection } from './connection.js';

export interface Transfers {
  /**
   * Transfers the page that is ready.
   * @param onFrame gets each frame as it arrives
   * @returns TWRC_SUCCESS if more of the page follows
   * @throws Refusal
   */
  transfer(
    verb: 'native' | 'strips',
    args: Readonly<Record<string, number>>,
    onFrame: (frame: Frame) => void,
  ): Promise<number>;
  /** After each page, even a cancelled one. @returns how many follow; `MORE` if the source does not know */
  endTransfer(): Promise<number>;
  /** Drops all pending pages. @throws Refusal */
  resetTransfers(): Promise<void>;
  /** Stops feeding; sheets already fed are still scanned. @returns whether the source supports that */
  stopFeeder(): Promise<boolean>;
}

export function createTransfers(connection: Connection, deadlines: Deadlines): Transfers {
  const pending = (msg: number): Promise<Uint8Array> => {
    const what = `PENDINGXFERS ${msg.toString(16)}`;
    return connection.read(what, DG.CONTROL, DAT.PENDINGXFERS, msg, sizes.pendingXfers, deadlines.page);
  };

  return {
    async transfer(verb, args, onFrame) {
      let failure: { readonly error: unknown } | undefined;
      const onMore = (frame: Frame) => {
        // After one strip the transfer has begun, even if the next strip fails.
        if (connection.state === 'ready') connection.transition('transferBegan');
        // Unusable frames are read to the end: the helper keeps its state and continues.
        try {
          if (!failure) onFrame(frame);
        } catch (error) {
          failure = { error };
        }
      };
      const answer = connection.call(verb, args, deadlines.page, { onMore });
      const { rc, cc } = await answer.catch((error: unknown) => {
        if (statusOf(error) === 'TOOBIG') connection.transition('transferBegan');
        throw error;
      });
      if (rc === RC.SUCCESS || rc === RC.XFERDONE || rc === RC.CANCEL) connection.transition('transferBegan');
      if (failure) throw failure.error;
      if (rc === RC.SUCCESS || rc === RC.XFERDONE) return rc;
      throw new Refusal(verb === 'native' ? 'IMAGENATIVEXFER' : 'IMAGEMEMXFER', rc, cc);
    },
    async endTransfer() {
      const count = readPending(await pending(MSG.ENDXFER));
      connection.transition(count === 0 ? 'endedNone' : 'endedMore');
      return count;
    },
    async resetTransfers() {
      try {
        await pending(MSG.RESET);
      } catch (error) {
        if (!(error instanceof Refusal && error.cc === CC.SEQERROR)) throw error;
        // This source counts a failed transfer as begun.
        await pending(MSG.ENDXFER);
        await pending(MSG.RESET).catch(unlessRefused);
      }
      connection.transition('reset');
    },
    async stopFeeder() {
      const answer = await pending(MSG.STOPFEEDER).catch(unlessRefused);
      return answer !== undefined;
    },
  };
}
