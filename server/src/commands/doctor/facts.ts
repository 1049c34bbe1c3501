/** What the doctor knows: where to look, and the results of earlier checks. */
import type { HealthAnswer, PluginReport } from '@platen/core';
import type { Located } from '../../machine/config/read.js';
import type { Config } from '../../machine/config/schema.js';
import type { Settings } from '../../machine/config/settings.js';
import type { Holder } from '../../machine/dataFolder/lockHolder.js';
import type { PolicySurroundings } from '../../machine/policies/source.js';
import type { PublicPart } from '../../machine/tls/certificate.js';
import type { trustStores } from '../../machine/tls/trust/stores.js';
import type { Question, Reply } from '../../machine/ask.js';

export interface PluginsSeen {
  readonly reports: readonly PluginReport[];
  /** Of those without drivers. */
  readonly health: readonly HealthAnswer[];
}

export interface Facts {
  readonly settings: Settings;
  readonly env: NodeJS.ProcessEnv;
  /** Absent: no paper moves. */
  readonly scan?: { readonly scanner: string | undefined };
  /** The computer's; a test passes others. */
  readonly stores: typeof trustStores;
  /** Where the policies of browsers are; a test passes another computer. */
  readonly browsers: PolicySurroundings;
  /** Milliseconds to wait for drivers that still look for their scanners. Absent: as long as core waits for a search. */
  readonly searchMs?: number | undefined;

  config?: Config & Located;
  /** Set if this account can read the data folder. */
  dataDir?: string;
  /** Valid or not. */
  certificate?: PublicPart;
  certificateValid?: boolean;
  /** All that the data folder has: the service changes to the next one within an hour. */
  certificates?: readonly PublicPart[];
  /** The secret of local programs, if there is one. */
  token?: string;
  plugins?: PluginsSeen;
  holder?: Holder;
  port?: number;
  /** Sends the token, to none but the service that has the data folder's certificate. */
  proof?: Pick<Question, 'certificate' | 'headers'>;
  /** The service's answer to `GET /`. */
  root?: Reply;
  scanners?: readonly { readonly name: string; readonly isOnline: boolean }[];
}
