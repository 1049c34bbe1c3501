/** The recogniser of barcodes, as its plugin contributes it. */
import barcode from '@platen/barcode';
import { nullLog, type BarcodeRecogniser } from '@platen/core/plugin';

/** @param workers pages that are read at the same time */
export async function openReader(workers: number): Promise<{ reader: BarcodeRecogniser; close(): Promise<void> }> {
  const { recognisers = [], close } = await barcode.setup({
    options: { workers, thorough: true },
    log: nullLog,
    dataDir: '/',
  });
  const reader = recognisers.find((each): each is BarcodeRecogniser => each.kind === 'barcode');
  if (!reader) throw new Error('the plugin contributes no reader of barcodes');
  return { reader, close: async () => close?.() };
}
