/** What a subject such as `[PATCH proj v2 3/5] Add foo` says (docs/protocol.md#patch-subjects). */
export interface PatchSubject {
	/** What stands between `PATCH` and version; empty when nothing does. */
	readonly prefix: string;
	/** 1 where none is written. */
	readonly version: number;
	/** 0 is the cover letter; 1 where none is written. */
	readonly index: number;
	readonly count: number;
	/** Whether `i/n` is written. */
	readonly isNumbered: boolean;
	/** What follows the brackets. */
	readonly subject: string;
	/** The subject begins with `Re:`; only the text then tells an answer from a patch. */
	readonly isReply: boolean;
}

/** Longer brackets are no patch's. */
const longestTag = 300;

/**
 * Reads a subject by the rules of the server: `[PATCH …]` or `[RFC PATCH …]`, the version before the number, the number
 * last. `undefined` for what is no patch by these rules, such as `[proj PATCH v2] …`.
 */
export function patchSubject(subject: string): PatchSubject | undefined {
	const { rest, isReply } = withoutReplyMarks(subject);
	const end = rest.slice(0, longestTag).indexOf(']');
	if (!rest.startsWith('[') || end === -1) {
		return undefined;
	}
	const inside = wordsOfPatch(rest.slice(1, end));
	return inside && { ...placeOf(inside), subject: rest.slice(end + 1).trim(), isReply };
}

/** The words after `PATCH`. */
function wordsOfPatch(tag: string): readonly string[] | undefined {
	const words = tag.split(/\s/).filter((word) => word !== '');
	const at = words[0]?.toUpperCase() === 'RFC' ? 1 : 0;
	return words[at]?.toUpperCase() === 'PATCH' ? words.slice(at + 1) : undefined;
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

/** The title of a thread: one `Re:` stays where its first mail is a reply to a mail that is not on the list. */
export function titleOfThread(subject: string): string {
	const { rest, isReply } = withoutReplyMarks(subject);
	return isReply ? `Re: ${rest}` : rest;
}

/** Marks of replies as mail programs write them in some languages. */
const replyMark = /^(?:re|aw|antw|sv|vs|odp|rif|res|回复|答复|回覆|答覆)[ \t]{0,2}[:：][ \t]*/i;

/** The subject that a mail and the replies to it share. */
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
