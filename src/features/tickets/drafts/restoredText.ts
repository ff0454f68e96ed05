/** What a text that the editor kept by itself is beside the draft of the same document. */
export type Restored =
	| 'same'
	/** What was typed last has not come to the draft, as when the extension host died before. */
	| 'newer'
	/** The draft goes on where it ends. */
	| 'older'
	/** Nobody can tell. */
	| 'other';

/**
 * Tells which of two texts was typed later, where one has become the other by what was typed in one place. The editor
 * copies what is not saved when nobody has typed for a while, and the copy stands before the draft after a restart.
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
