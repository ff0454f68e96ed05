import type { ShortEmail } from '../../forge/list.ts';
import type { StatedChanges } from '../../forge/statedChanges.ts';

/** What is said of a mail in a row: everything but its text, so that thousands can be kept. */
export interface MailSummary extends ShortEmail {
	/** `undefined` where the server sent the short form, which does not tell. */
	readonly isPatch: boolean | undefined;
	readonly changes: StatedChanges | undefined;
}

/** The mails of a patchset. */
export interface Series {
	readonly cover: MailSummary | undefined;
	/** In their order. */
	readonly patches: readonly MailSummary[];
}
