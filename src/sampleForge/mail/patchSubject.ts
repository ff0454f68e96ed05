/** Parsed subject such as `[PATCH lantern v2 3/5] Add foo`. */
export interface PatchPlace {
	/** Empty when the brackets hold none. */
	readonly prefix: string;
	readonly version: number;
	/** 0 is the cover letter. */
	readonly index: number;
	readonly count: number;
	/** Text after the brackets. */
	readonly subject: string;
}

const pattern =
	/^(?:[Rr][Ee]:\s*)*\[(?:RFC )?PATCH(?: (?<prefix>.+?))??(?: v(?<version>\d{1,4}))?(?: (?<index>\d{1,4})\/(?<count>\d{1,4}))?\]\s*(?<subject>.*)$/s;

/** Reads a subject by the rules of the server (docs/protocol.md#patch-subjects); undefined when it names no patch. */
export function parsePatchSubject(subject: string): PatchPlace | undefined {
	const groups = pattern.exec(subject)?.groups;
	if (groups === undefined) {
		return undefined;
	}
	const { prefix = '', version = '1', index = '1', count = '1', subject: rest = '' } = groups;
	return { prefix, version: Number(version), index: Number(index), count: Number(count), subject: rest.trim() };
}
