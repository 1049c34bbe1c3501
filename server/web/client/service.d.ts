/** The client module's own requests and answers, which the service serves beside the page. */
export * from '@platen/client/service';
