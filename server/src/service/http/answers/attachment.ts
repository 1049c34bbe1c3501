/** The `Content-Disposition` of an answer that is saved as a file (RFC 6266). */

/** @param file a name that is safe for file systems, with its extension, in any script */
export function attachmentOf(file: string): string {
  // For programs that do not know the second one. Some decode a percent sign. Wide and compound characters (．．／, ℀)
  // become ASCII that is not safe any more.
  const plain = file
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]|["%*/:<>?\\|]|^\./gu, '_');
  return `attachment; filename="${plain}"; filename*=UTF-8''${extended(file)}`;
}

/** RFC 8187, 3.2.1. */
function extended(file: string): string {
  return encodeURIComponent(file).replace(/['()*]/g, each => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);
}
