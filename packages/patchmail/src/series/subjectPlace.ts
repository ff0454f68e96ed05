import { patchSubject, subjectOfThread, type PatchSubject } from './patchSubject.ts';

/** A place in a series, from a subject. */
export interface SubjectPlace extends PatchSubject {
	/** The text in the brackets. */
	readonly tag: string;
	/** The server misreads such a subject: `[PATCH v2 proj]`, `[proj PATCH v2]`, `[PATCHv2]`. */
	readonly isDisordered: boolean;
	/** The subject states the version. */
	readonly isVersioned: boolean;
}

const longestTag = 300;
const mostTags = 8;
/** `PATCHv2`, `PATCH1/8`, `PATCH-for-9.0`. */
const patchWord = /^PATCH(?:(v\d{1,4})|(\d{1,4}\/\d{1,4})|-(\S{1,60}))?$/i;
/** `v6`, or `v6-rebased`: a version and a word. `v4l-utils` and `v5.10` are names. */
const versionWord = /^v(\d{1,4})(?:[-_+]([a-z]\S{0,60}))?$/i;
const numberWord = /^(\d{1,4})\/(\d{1,4})$/;

/**
 * Parses a subject as people mean it: words in any order, joined, or in several brackets. `undefined` without a patch
 * tag.
 */
export function subjectPlace(subject: string): SubjectPlace | undefined {
	const bare = subjectOfThread(subject);
	// `[[PATCH v3] 1/4]`
	const { tags, rest } = tagsAbove(bare.replace(/^\[\[([^[\]]{0,300})\]([^[\]]{0,300})\]/, '[$1$2]'));
	const main =
		tags.find((tag) => wordsOf(tag).some((word) => patchWord.test(word))) ??
		tags.find((tag) => isRequest(wordsOf(tag)));
	if (main === undefined) {
		return undefined;
	}
	// Lists and bug trackers add brackets of their own. Only a version and a number count there.
	const marks = tags
		.filter((tag) => tag !== main)
		.map(wordsOf)
		.filter((words) => isMark(words) || words.some((word) => patchWord.test(word)));
	const words = [...wordsOf(main), ...marks.flat()].flatMap((word) => {
		const [whole, ...parts] = patchWord.exec(word) ?? [];
		return whole === undefined ? partsOfVersion(word) : ['PATCH', ...parts.filter((part) => part !== undefined)];
	});
	const number = words.findLast((word) => numberWord.test(word));
	const version = words.findLast((word) => versionWord.test(word));
	const [, index, count] = numberWord.exec(number ?? '') ?? [];
	const prefixes = words.filter(
		(word, at) =>
			word !== number &&
			word !== version &&
			word.toUpperCase() !== 'PATCH' &&
			!(at === 0 && word.toUpperCase() === 'RFC'),
	);
	const meant: PatchSubject = {
		prefix: prefixes.join(' '),
		version: Number(versionWord.exec(version ?? '')?.[1] ?? 1),
		index: Number(index ?? 1),
		count: Number(count ?? 1),
		isNumbered: count !== undefined,
		subject: rest,
		isReply: bare !== subject.trim(),
	};
	const written = patchSubject(subject);
	const isVersioned = version !== undefined;
	const isDisordered =
		written === undefined ||
		written.prefix !== meant.prefix ||
		written.version !== meant.version ||
		written.index !== meant.index ||
		written.count !== meant.count;
	return { ...meant, tag: main.trim(), isDisordered, isVersioned };
}

function partsOfVersion(word: string): readonly string[] {
	const [, number, rest] = versionWord.exec(word) ?? [];
	return number === undefined || rest === undefined ? [word] : [`v${number}`, rest];
}

/** The brackets at the head of a subject up to the last patch tag. Later brackets belong to the title. */
function tagsAbove(subject: string): { readonly tags: readonly string[]; readonly rest: string } {
	const tags: string[] = [];
	let [rest, left] = [subject, subject];
	while (left.startsWith('[') && tags.length < mostTags) {
		const end = left.slice(0, longestTag).indexOf(']');
		if (end === -1) {
			break;
		}
		const words = wordsOf(left.slice(1, end));
		tags.push(left.slice(1, end));
		left = left.slice(end + 1).trimStart();
		rest = isMark(words) || isRequest(words) || words.some((word) => patchWord.test(word)) ? left : rest;
	}
	return { tags, rest };
}

/** Accepts `1 of 3`. */
function wordsOf(tag: string): readonly string[] {
	const numbered = tag.replace(/(?<![^\s,])(\d{1,4})\s{1,9}of\s{1,9}(\d{1,4})(?![^\s,])/i, '$1/$2');
	return numbered.split(/[\s,]/).filter((word) => word !== '');
}

function isMark(words: readonly string[]): boolean {
	return words.every((word) => versionWord.test(word) || numberWord.test(word));
}

/** `[RFC v2 1/3]` is a patch tag, `[RFC]` alone is not. */
function isRequest(words: readonly string[]): boolean {
	return words[0]?.toUpperCase() === 'RFC' && words.some((word) => versionWord.test(word) || numberWord.test(word));
}

/** True for a patch that `git rebase --autosquash` joins with another one. */
export function isFixup(subject: string): boolean {
	return /^(?:fixup|squash|amend)! /i.test(subjectPlace(subject)?.subject ?? subject);
}
