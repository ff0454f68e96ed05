import { patchSubject, type PatchSubject } from '../forge/patchSubject.ts';

/** What a subject says of its place in a series. */
export interface SubjectPlace extends PatchSubject {
	/** What stands in the brackets. */
	readonly tag: string;
	/** The words stand in an order in which the server does not understand them: `[PATCH v2 proj]`, `[proj PATCH v2]`. */
	readonly isDisordered: boolean;
}

const longestTag = 300;

/** What stands in a prefix only when the words are in the wrong order. */
const misplaced = /(?:^| )(?:v\d{1,4}|\d{1,4}\/\d{1,4}|patch)(?: |$)/i;

/**
 * Reads a subject as people mean it: words in the wrong order are put right first. `undefined` for what speaks of no
 * patch at all.
 */
export function subjectPlace(subject: string): SubjectPlace | undefined {
	const written = patchSubject(subject);
	if (written !== undefined && !misplaced.test(written.prefix)) {
		return {
			...written,
			tag: subject.slice(subject.indexOf('[') + 1, subject.indexOf(']')).trim(),
			isDisordered: false,
		};
	}
	const tag = /^\s*(?:re:\s*){0,8}\[([^\]]{0,300})\]/i.exec(subject.slice(0, longestTag + 50))?.[1]?.trim();
	const words = tag?.split(/\s+/) ?? [];
	if (tag === undefined || !words.some((word) => word.toUpperCase() === 'PATCH')) {
		return undefined;
	}
	const behind = subject.slice(subject.indexOf(']') + 1);
	const meant = patchSubject(`${/^\s*re:/i.test(subject) ? 'Re: ' : ''}[${orderlyTag(words)}]${behind}`);
	return meant && { ...meant, tag, isDisordered: written === undefined || !agree(written, meant) };
}

/** `RFC` may stand on either side of `PATCH`; the version comes last but for the number. */
function orderlyTag(words: readonly string[]): string {
	const isPatch = (word: string): boolean => word.toUpperCase() === 'PATCH';
	const number = words.findLast((word) => /^\d{1,4}\/\d{1,4}$/.test(word));
	const version = words.findLast((word) => /^v\d{1,4}$/i.test(word));
	const others = words.filter((word) => !isPatch(word) && word !== number && word !== version);
	const isRequest = words[0]?.toUpperCase() === 'RFC';
	return [
		...(isRequest ? ['RFC'] : []),
		'PATCH',
		...(isRequest ? others.slice(1) : others),
		...(version === undefined ? [] : [version]),
		...(number === undefined ? [] : [number]),
	].join(' ');
}

function agree(a: PatchSubject, b: PatchSubject): boolean {
	return a.prefix === b.prefix && a.version === b.version && a.index === b.index && a.count === b.count;
}
