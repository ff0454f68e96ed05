import { patchSubject, subjectOfThread, type PatchSubject } from './patchSubject.ts';

/** A place in a series, from a subject. */
export interface SubjectPlace extends PatchSubject {
	/** The text in the brackets. */
	readonly tag: string;
	/** No prefix of a sender makes git write such brackets: `[PATCH 1/2 v2]`, `[PATCH] [v2]`. */
	readonly isDisordered: boolean;
	/** A forge reads another place, or no patch. Brackets that a list wrote before do not count. */
	readonly isMisread: boolean;
	/** The subject states the version. */
	readonly isVersioned: boolean;
}

/** Brackets at the head of a subject, and the text behind them. */
interface Tag {
	readonly text: string;
	readonly words: readonly string[];
	readonly rest: string;
}

const longestTag = 300;
const mostTags = 8;
/** `PATCHv2`, `PATCH1/8`, `PATCH-for-9.0`, `RFCv2`. */
const tagWord = /^(PATCH|RFC)(?:(v\d{1,4})|(\d{1,4}\/\d{1,4})|-(\S{1,60}))?$/i;
/** `v6`, or `v6-rebased`: a version and a word. `v4l-utils` and `v5.10` are names. */
const versionWord = /^v(\d{1,4})(?:[-_+]([a-z]\S{0,60}))?$/i;
const numberWord = /^(\d{1,4})\/(\d{1,4})$/;

/**
 * Parses a subject as people mean it: words in any order, joined, or in several brackets. `undefined` without a patch
 * tag. `[v2 0/3]` is one, and with a diff `[v2 1/3]` and `[RFC]`, too.
 */
export function subjectPlace(subject: string, hasDiff = false): SubjectPlace | undefined {
	const bare = subjectOfThread(subject);
	// `[[PATCH v3] 1/4]`, and `[PATCH 1/4] (v3)`
	const tags = tagsAbove(
		bare
			.replace(/^\[\[([^[\]]{0,300})\]([^[\]]{0,300})\]/, '[$1$2]')
			.replace(/^((?:\[[^\]]{0,300}\]\s{0,9}){1,8})\((v\d{1,4})\)(?!\S)/i, '$1[$2]'),
	);
	const main =
		tags.find(isPatchTag) ??
		tags.find(isRequest) ??
		tags.find(({ words }) => words.some((word) => (hasDiff ? isMark(word) || isStage(word) : isOfCover(word))));
	if (main === undefined) {
		return undefined;
	}
	// Lists and bug trackers add brackets of their own. Only a version and a number count there.
	const others = tags.filter((tag) => tag !== main && (tag.words.every(isMark) || isPatchTag(tag)));
	const last = tags.findLast((tag) => tag === main || others.includes(tag) || isRequest(tag)) ?? main;
	const words = [main, ...others].flatMap((tag) => tag.words);
	const number = words.findLast((word) => numberWord.test(word));
	const version = words.findLast((word) => versionWord.test(word));
	const numbered = [main, ...others].findLast((tag) => tag.words.includes(number ?? ''));
	const [, index, count] = numberWord.exec(number ?? '') ?? [];
	const prefixes = words.filter(
		(word, at) =>
			word !== number &&
			word !== version &&
			word.toUpperCase() !== 'PATCH' &&
			!(at === 0 && word.toUpperCase() === 'RFC'),
	);
	const isNumbered = count !== undefined;
	const place = {
		version: Number(versionWord.exec(version ?? '')?.[1] ?? 1),
		index: Number(index ?? 1),
		count: Number(count ?? 1),
	};
	return {
		...place,
		prefix: prefixes.join(' '),
		isNumbered,
		subject: last.rest,
		isReply: bare !== subject.trim(),
		tag: main.text.trim(),
		// Git puts any prefix first, and the number last.
		isDisordered: others.some((tag) => tag.words.length > 0 && !isPatchTag(tag)) || (isNumbered && !isAtEnd(numbered)),
		isMisread: isPatchTag(main) && !isReadAs(patchSubject(`[${main.text}]`), place),
		isVersioned: version !== undefined,
	};
}

/** True if the brackets end with the number. */
function isAtEnd(tag: Tag | undefined): boolean {
	return /(?:^|\s)\d{1,4}(?:\/|\s{1,9}of\s{1,9})\d{1,4}\s*$/i.test(tag?.text ?? '');
}

type Place = Pick<PatchSubject, 'version' | 'index' | 'count'>;

function isReadAs(read: Place | undefined, { version, index, count }: Place): boolean {
	return read?.version === version && read.index === index && read.count === count;
}

/** The brackets at the head of a subject. */
function tagsAbove(subject: string): readonly Tag[] {
	const tags: Tag[] = [];
	let left = subject;
	while (left.startsWith('[') && tags.length < mostTags) {
		const end = left.slice(0, longestTag).indexOf(']');
		if (end === -1) {
			break;
		}
		const text = left.slice(1, end);
		left = left.slice(end + 1).trimStart();
		tags.push({ text, words: wordsOf(text), rest: left });
	}
	return tags;
}

/** Splits joined words. Accepts `1 of 3`, `(v2)` and `RFC/PATCH`. */
function wordsOf(tag: string): readonly string[] {
	return tag
		.replaceAll(/\((v\d{1,4})\)/gi, ' $1 ')
		.replace(/(?<![^\s,])(\d{1,4})\s{1,9}of\s{1,9}(\d{1,4})(?![^\s,])/i, '$1/$2')
		.replace(/(?<![^\s,])(RFC|PATCH)\/(?=(?:RFC|PATCH)(?![^\s,]))/i, '$1 ')
		.split(/[\s,]/)
		.filter((word) => word !== '')
		.flatMap((word) => {
			const [whole, ...parts] = tagWord.exec(word) ?? [];
			const [, number, rest] = versionWord.exec(word) ?? [];
			return whole === undefined
				? number === undefined || rest === undefined
					? [word]
					: [`v${number}`, rest]
				: parts.filter((part) => part !== undefined);
		});
}

function isMark(word: string): boolean {
	return versionWord.test(word) || numberWord.test(word);
}

function isOfCover(word: string): boolean {
	return /^0{1,4}\/\d{1,4}$/.test(word);
}

function isStage(word: string): boolean {
	return /^(?:RFC|RESEND|REPOST)$/i.test(word);
}

function isPatchTag({ words }: Tag): boolean {
	return words.some((word) => word.toUpperCase() === 'PATCH');
}

/** `[RFC v2 1/3]` is a patch tag even without a diff, `[RFC]` is not. */
function isRequest({ words }: Tag): boolean {
	return words[0]?.toUpperCase() === 'RFC' && words.some(isMark);
}

/** True for a patch that `git rebase --autosquash` joins with another one. */
export function isFixup(subject: string): boolean {
	return /^(?:fixup|squash|amend)! /i.test(subjectPlace(subject)?.subject ?? subject);
}
