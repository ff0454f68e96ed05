/** Relation of the editor's backup to the draft of the same document. */
export type Restored =
	| 'same'
	/** The last keystrokes are missing from the draft, as after a crash of the extension host. */
	| 'newer'
	/** The draft continues the text. */
	| 'older'
	/** Unknown. */
	| 'other';

/**
 * Decides whether the backup or the draft is newer, when one continues the other in a single place. The editor writes
 * its backup after a pause in typing, and after a restart shows it in place of the draft.
 */
export function comparedToDraft(restored: string, draft: string): Restored {
	if (restored === draft) {
		return 'same';
	}
	return hasGrownInto(draft, restored) ? 'newer' : hasGrownInto(restored, draft) ? 'older' : 'other';
}

function hasGrownInto(older: string, newer: string): boolean {
	const most = older.length;
	let start = 0;
	while (start < most && older[start] === newer[start]) {
		start += 1;
	}
	let end = 0;
	while (start + end < most && older[most - 1 - end] === newer[newer.length - 1 - end]) {
		end += 1;
	}
	return newer.length >= most && start + end === most;
}
