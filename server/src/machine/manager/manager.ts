/** The operating system's manager of services, as `platen service` uses it. */

export type ServiceState = 'running' | 'stopped' | 'absent';

export interface ServiceStatus {
  readonly state: ServiceState;
  /** Whether it starts with the system, or with the person's session. */
  readonly isEnabled?: boolean;
  /** As the manager prints it. */
  readonly since?: string;
  /** Why it does not run, as the manager says: `exit-code 3`. */
  readonly result?: string;
  /** The service's configuration, for its port. */
  readonly configFile?: string;
}

export interface Removal {
  /** The data folder and the configuration go, too. */
  readonly data: boolean;
}

export interface ServiceManager {
  /** Idempotent. @returns whether the service was started */
  install(): Promise<boolean>;
  /** Idempotent. */
  remove(removal: Removal): Promise<void>;
  status(): Promise<ServiceStatus>;
  /** @throws {ServiceError} if it is not installed, or this account may not */
  restart(): Promise<void>;
}

/** Where the installation's files are, absolute, and where to say what was done. */
export interface ServicePlace {
  readonly node: string;
  /** `bin/platen.cjs` of the server. */
  readonly program: string;
  /** The configuration of the package, which a new installation starts with. */
  readonly shippedConfig: string;
  /** `config/schema.json`, for editors. */
  readonly schema: string;
  /** The folder with the templates of the unit and of the agent. */
  readonly templates: string;
  readonly pluginsDir: string | undefined;
  /** `security.origins` of a new configuration; undefined: as shipped. */
  readonly origins?: 'open' | 'ask' | undefined;
  say(line: string): void;
  /** For what is left to do by hand. */
  warn(line: string): void;
}

/** A refusal, with the fix. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
}
