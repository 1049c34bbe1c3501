/** A request to the service, and what makes it. */
export interface CallOptions {
  /** Aborts the call, which rejects with the code `cancelled`. */
  readonly signal?: AbortSignal | undefined;
}

export interface Ask extends CallOptions {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  /** Sent as JSON. */
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** The request is sent even if the page closes: it does not wait for the person. */
  readonly keepalive?: boolean;
  /** `false`: does not wait until the person allows the call. A signal ends that wait, and nothing else. */
  readonly consent?: AbortSignal | false | undefined;
}

export interface Service {
  readonly baseUrl: string;
  /** @throws `no-answer`, `cancelled` */
  ask(path: string, options?: Ask): Promise<Response>;
  /** The answer's JSON. @throws PlatenError for an answer that is not a success */
  json<T>(path: string, options?: Ask): Promise<T>;
  /** Whether any answer arrives, even one that this page may not read. */
  answers(signal: AbortSignal): Promise<boolean>;
}
