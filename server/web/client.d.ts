/** The client module, which the service serves beside the page. */
export * from '@platen/client';
