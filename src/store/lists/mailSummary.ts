import type { ShortEmail } from 'sourcehut/port/list.ts';
import type { StatedChanges } from 'sourcehut/port/statedChanges.ts';

/** A mail without its text, so thousands fit into memory. */
export interface MailSummary extends ShortEmail {
	/** `undefined` for the short form. */
	readonly isPatch: boolean | undefined;
	readonly changes: StatedChanges | undefined;
}

export interface Series {
	readonly cover: MailSummary | undefined;
	readonly patches: readonly MailSummary[];
}
