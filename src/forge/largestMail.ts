/** Mails beyond this are taken apart only when somebody asks for it; in characters of the envelope. */
export const largestMail = 1_000_000;
