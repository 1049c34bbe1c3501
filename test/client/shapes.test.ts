/** The client module's handwritten shapes match the service's schemas; otherwise this file does not compile. */
import type * as client from '@platen/client';
import type * as schemas from '@platen/server/schemas';
import t from 'tap';
import type { Static } from 'typebox';

/** Fields only on the wire: the client throws errors, and makes a Blob of the base64. */
type Page = Omit<Static<typeof schemas.Image>, 'base64Data'> & { blob: Blob };
type OfAnswer = 'success' | 'error' | 'images' | 'imageCount';
type Result = Omit<Static<typeof schemas.ScanResult>, OfAnswer> & { pages: Page[] };

/** Each of the client's shapes with its schema. */
interface Shapes {
  Scanner: [client.Scanner, Static<typeof schemas.ScannerInfo>];
  Capabilities: [client.Capabilities, Static<typeof schemas.Capabilities>];
  CapabilityDetails: [client.CapabilityDetails, Static<typeof schemas.CapabilityDetails>];
  ScanParameters: [client.ScanParameters, Static<typeof schemas.Parameters>];
  StartParameters: [client.StartParameters, Static<typeof schemas.StartParameters>];
  Barcode: [client.Barcode, Static<typeof schemas.Barcode>];
  Note: [client.Note, Static<typeof schemas.Note>];
  Reported: [client.Reported, Static<typeof schemas.Reported>];
  ScannedPage: [client.ScannedPage, Page];
  ScanResult: [client.ScanResult, Result];
  /** Codes are this module's: fewer than the service's. */
  ScanFacts: [client.ScanFacts, Omit<Static<typeof schemas.ScanSummary>, 'success' | 'code'>];
  PageFacts: [client.PageFacts, Omit<Static<typeof schemas.ScanPage>, 'code'>];
  DocumentFacts: [client.DocumentFacts, Static<typeof schemas.DocumentFacts>];
  Status: [client.Status, Omit<Static<typeof schemas.ServiceStatus>, 'success'>];
  Version: [client.Version, Omit<Static<typeof schemas.VersionInfo>, 'success'>];
}

/** Ignores only `readonly`, which the schemas' types lack. */
type ReadOnly<T> = T extends readonly (infer Each)[]
  ? readonly ReadOnly<Each>[]
  : T extends Blob
    ? Blob
    : T extends object
      ? { readonly [Key in keyof T]: ReadOnly<T[Key]> }
      : T;

/** Mutual assignability is not enough: it misses a field that is optional on one side. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** The names of differing fields. */
type Differing<A, B> = {
  [Key in keyof A | keyof B]-?: Same<ReadOnly<Pick<A, Key & keyof A>>, ReadOnly<Pick<B, Key & keyof B>>> extends true
    ? never
    : Key;
}[keyof A | keyof B];

type Differences = { [Name in keyof Shapes]: Differing<Shapes[Name][0], Shapes[Name][1]> };

t.test("client shapes: every field, as in the service's schema", async t => {
  // A field that the compiler names here differs.
  const none: { [Name in keyof Shapes]: never } = {} as Differences;
  t.ok(none);
});
