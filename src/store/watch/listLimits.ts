/** Pages per kind of rows and turn, after the first page. */
export const mostPages = 3;

/** Limit of new mails per reading. Drops the oldest ones. */
export const mostMails = 5000;

/** Limit per turn, because each one costs a mail. */
export const mostNewPatchsets = 10;
