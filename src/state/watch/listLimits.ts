/** Pages of one kind of rows that are asked for in one turn beside the first; those after it have a turn later. */
export const mostPages = 3;

/** Of more that came to a list since it was last read, the oldest are left out. */
export const mostMails = 5000;

/** A mail of each has to be read, so that more of them have a turn later. */
export const mostNewPatchsets = 10;
