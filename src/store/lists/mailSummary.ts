import type { ShortEmail } from 'sourcehut/port/list.ts';
import type { ExactSet } from 'patchmail/series/series.ts';
import type { StatedChanges } from 'sourcehut/port/statedChanges.ts';

/** A mail without its text, so thousands fit into memory. */
export interface MailSummary extends ShortEmail {
	/** `undefined` for the short form. */
	readonly isPatch: boolean | undefined;
	readonly changes: StatedChanges | undefined;
	/** Absent if unknown. */
	readonly hasDiff?: boolean;
	/** Address of the author, if the text of a patch names one. */
	readonly author?: string;
	/** Date header, of a patch or cover letter. */
	readonly statedMs?: number;
	/** Message-IDs of the mails above, the answered one first. Only if the server knows no parent. */
	readonly above?: readonly string[];
}

export interface Series {
	readonly cover: MailSummary | undefined;
	readonly patches: readonly MailSummary[];
	/** Places of the patches of a formed patchset; absent for one of the server. */
	readonly set?: ExactSet;
}
