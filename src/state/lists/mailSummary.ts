import type { ShortEmail } from '../../forge/list.ts';
import type { StatedChanges } from '../../forge/statedChanges.ts';

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
