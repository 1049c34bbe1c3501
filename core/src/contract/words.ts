/** The field's words, spelt as the interface document spells them: one spelling from the wire to the driver. */

export const colorModes = ['Color', 'Grayscale', 'BlackAndWhite'] as const;
/** Color: 24-bit RGB. Grayscale: 8-bit. BlackAndWhite: 1-bit. */
export type ColorMode = (typeof colorModes)[number];

export const duplexModes = ['Simplex', 'DuplexLongEdge', 'DuplexShortEdge'] as const;
export type DuplexMode = (typeof duplexModes)[number];

/** Sizes that a scan may ask for. */
export const scanPageSizes = ['Letter', 'Legal', 'A4', 'A5', 'A6', 'B5', 'Auto'] as const;
/** Sizes that capabilities may list; A3 and Executive cannot be asked for (interface, "Page sizes"). */
export const pageSizes = [...scanPageSizes, 'A3', 'Executive'] as const;
export type PageSize = (typeof pageSizes)[number];

/** Width and height of each named size, portrait, in millimetres (B5 is JIS). `Auto` has none. */
export const millimetres: Readonly<Record<Exclude<PageSize, 'Auto'>, { width: number; height: number }>> = {
  Letter: { width: 215.9, height: 279.4 },
  Legal: { width: 215.9, height: 355.6 },
  A3: { width: 297, height: 420 },
  A4: { width: 210, height: 297 },
  A5: { width: 148, height: 210 },
  A6: { width: 105, height: 148 },
  B5: { width: 182, height: 257 },
  Executive: { width: 184.15, height: 266.7 },
};

/**
 * What may be done to a page beside scanning it.
 * rotate: set upright after its content. deskew: straighten a page fed askew. crop: cut to the sheet's edges.
 * turn: the back of a sheet bound on its short edge, turned by 180°.
 */
export const adjustments = ['rotate', 'deskew', 'crop', 'turn'] as const;
export type Adjustment = (typeof adjustments)[number];

/** The parameters of a scan that ask for an adjustment, and the capabilities that say whether it can be done. */
export const adjustmentParameters = [
  { parameter: 'autoRotate', adjustment: 'rotate', capability: 'supportsAutoRotate' },
  { parameter: 'autoDeskew', adjustment: 'deskew', capability: 'supportsAutoDeskew' },
  { parameter: 'autoCrop', adjustment: 'crop', capability: 'supportsAutoCrop' },
] as const satisfies readonly { parameter: string; adjustment: Adjustment; capability: string }[];
export type AdjustmentParameter = (typeof adjustmentParameters)[number];

export type Source = 'feeder' | 'flatbed';
