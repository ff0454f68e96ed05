/** Maximum envelope length for automatic parsing, in characters. Larger mails are parsed on request. */
export const largestMail = 1_000_000;
