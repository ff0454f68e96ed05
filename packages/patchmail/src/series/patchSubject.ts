/** Parsed subject, such as `[PATCH proj v2 3/5] Add foo` (docs/protocol.md#patch-subjects). */
export interface PatchSubject {
	/** Text between `PATCH` and version; may be empty. */
	readonly prefix: string;
	/** Default 1. */
	readonly version: number;
	/** 0 is the cover letter. Default 1. */
	readonly index: number;
	readonly count: number;
	/** True if the subject has `i/n`. */
	readonly isNumbered: boolean;
	/** Text after the brackets. */
	readonly subject: string;
	/** The subject starts with `Re:`. Only the body distinguishes a reply from a patch then. */
	readonly isReply: boolean;
}

/** No patch has longer brackets. */
const longestTag = 300;

/**
 * Parses a subject by the server's rules: `[PATCH …]` or `[RFC PATCH …]`, version before number, number last. Returns
 * `undefined` for other subjects, such as `[proj PATCH v2] …`.
 */
export function patchSubject(subject: string): PatchSubject | undefined {
	const { rest, isReply } = withoutReplyMarks(subject);
	const end = rest.slice(0, longestTag).indexOf(']');
	if (!rest.startsWith('[') || end === -1) {
		return undefined;
	}
	const tag = rest.slice(1, end);
	const words = tag.split(/\s/).filter((word) => word !== '');
	const at = words[0]?.toUpperCase() === 'RFC' ? 1 : 0;
	const inside = words[at]?.toUpperCase() === 'PATCH' ? words.slice(at + 1) : undefined;
	return inside && { ...placeOf(inside), subject: rest.slice(end + 1).trim(), isReply };
}

function placeOf(words: readonly string[]): Omit<PatchSubject, 'subject' | 'isReply'> {
	const [, index, count] = /^(\d{1,4})\/(\d{1,4})$/.exec(words.at(-1) ?? '') ?? [];
	const unnumbered = count === undefined ? words : words.slice(0, -1);
	const [, version] = /^v(\d{1,4})$/i.exec(unnumbered.at(-1) ?? '') ?? [];
	return {
		prefix: (version === undefined ? unnumbered : unnumbered.slice(0, -1)).join(' '),
		version: Number(version ?? 1),
		index: Number(index ?? 1),
		count: Number(count ?? 1),
		isNumbered: count !== undefined,
	};
}

/** Title of a thread. Keeps one `Re:` if its first mail replies to a mail outside the list. */
export function titleOfThread(subject: string): string {
	const { rest, isReply } = withoutReplyMarks(subject);
	return isReply ? `Re: ${rest}` : rest;
}

/** Reply prefixes of mail programs in several languages. */
const replyMark = /^(?:re|aw|antw|sv|vs|odp|rif|res|回复|答复|回覆|答覆)[ \t]{0,2}[:：][ \t]*/i;

/** The common subject of a mail and its replies. */
export function subjectOfThread(subject: string): string {
	let rest = subject.trim();
	for (let mark = replyMark.exec(rest); mark !== null; mark = replyMark.exec(rest)) {
		rest = rest.slice(mark[0].length);
	}
	return rest;
}

function withoutReplyMarks(subject: string): { readonly rest: string; readonly isReply: boolean } {
	let rest = subject.trim();
	let isReply = false;
	while (/^re:/i.test(rest)) {
		rest = rest.slice(3).trimStart();
		isReply = true;
	}
	return { rest, isReply };
}
