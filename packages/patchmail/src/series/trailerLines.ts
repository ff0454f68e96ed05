import { asciiLower } from '@forge-desk/base/asciiLower.ts';
import type { MailPerson } from '../mail/readableMail.ts';
import { personIn } from '../mail/personIn.ts';

/** A trailer with a person: `Reviewed-by: Bob <bob@forge.test>`. */
export interface TrailerLine {
	/** In the usual spelling. */
	readonly key: string;
	/** As written, with continuation lines joined. */
	readonly value: string;
	readonly person: MailPerson;
	/** In a reply: the sentence above that makes it depend on a change. */
	readonly condition?: string;
	/** In a reply: the text above gives it to the whole series. */
	readonly isForSeries?: true | undefined;
}

const longestValue = 400;
/** Limit per mail. */
const most = 200;
const goesOn = /^[ \t]*<[^<>@\s]+@[^<>@\s]+>[ \t]*$/;

/** The first 200 `…-by` trailers, each at the start of a line. */
export function trailerLines(lines: readonly (string | undefined)[], isReply = false): readonly TrailerLine[] {
	const found = lines.flatMap((line = '', at) => {
		const [head, key = ''] = /^([A-Za-z](?:[A-Za-z-]{0,40}[A-Za-z])?-{1,2}by)[ \t]{0,4}:{1,2}/i.exec(line) ?? [];
		if (head === undefined || line.length > longestValue) {
			return [];
		}
		const next = lines[at + 1];
		const first = line.slice(head.length).trim();
		const isCut = !first.includes('@') && next !== undefined && goesOn.test(next.slice(0, longestValue));
		const value = cleaned(isCut ? `${first} ${next.trim()}` : first);
		const lower = key.toLowerCase().replace('--', '-');
		const usualKey = lower === 'naked-by' ? 'NAKed-by' : lower.charAt(0).toUpperCase() + lower.slice(1);
		return isForm(value) || isSentence(value)
			? []
			: [{ key: usualKey, value, person: personIn(value), ...(isReply ? saidAbove(lines, at) : {}) }];
	});
	return found.slice(0, most);
}

/** True for nothing, `...` and `B. <...>`, where the writer shows a form. */
function isForm(value: string): boolean {
	return !/\p{L}/u.test(value) || /<\W*>/.test(value);
}

/** True for prose such as `Suggested-by: in this case is wrong`. */
function isSentence(value: string): boolean {
	return !value.includes('@') && (value.endsWith('?') || wordOfSentence.test(value));
}

/** At the start of a mail's sentence, or behind praise. */
const lead = String.raw`^(?:(?:and|but|fine|good|great|lgtm|nice|ok|okay|otherwise|so|still|thanks|then|this|looks|series|patch|to me|me)[\s,;:]+){0,6}`;
const change =
	'(?:added|addressed|adjusted|amended|changed|clarified|corrected|done|dropped|fixed|folded|included|moved|removed|renamed|resolved|reworded|sorted|split|squashed|tweaked|updated)';
const onCondition = new RegExp(
	String.raw`${lead}(?:(?:if|once|assuming|provided|after|when) (?:you|that|this|these|those|the|they|it|my|all)\b(?! (?:helps|likes?|matters|want|wish|need|still))|modulo\b)|\b(?:with|after|once)\b.{0,80}\b${change}\b|\bif you (?:add|address|change|drop|fix|fold|make|move|remove|rename|respin|reword|split|squash|update|use)\b`,
	'i',
);
const forSeries =
	/^(?:(?:and )?(?:for|to) )?(?:the |this )?(?:(?:all|complete|entire|full|rest of the|whole) )?(?:patch ?series|patch ?set|series)(?: as a whole)?[:,.]?$|^for all(?: the)? patches[:,.]?$/i;
const isTrailer = /^[A-Za-z-]{1,60}-by[ \t]{0,4}:/;
const longestCondition = 160;
/** Lines and letters above a trailer that may speak of it. */
const [mostAbove, longestParagraph] = [40, 2000];

/** The condition or scope in the paragraph above the trailer in line `at`, which other trailers may follow. */
function saidAbove(lines: readonly (string | undefined)[], at: number): Pick<TrailerLine, 'condition' | 'isForSeries'> {
	const farthest = Math.max(0, at - mostAbove);
	let end = at - 1;
	while (end >= farthest && (lines[end]?.trim() === '' || isTrailer.test(lines[end] ?? ''))) {
		end -= 1;
	}
	let start = end;
	while (start >= farthest && (lines[start]?.trim() ?? '') !== '' && !isTrailer.test(lines[start] ?? '')) {
		start -= 1;
	}
	const paragraph = lines
		.slice(start + 1, end + 1)
		.join(' ')
		.trim()
		.slice(-longestParagraph);
	const sentence = (paragraph.split(/(?<=[.!?]) +/).at(-1) ?? '').slice(0, 2 * longestCondition);
	return forSeries.test(paragraph)
		? { isForSeries: true }
		: onCondition.test(sentence)
			? { condition: sentence.slice(0, longestCondition) }
			: {};
}

/** Words that no name has. Capitalized, `An`, `Can`, `Will` and others are names. */
const wordOfSentence =
	/^(?:It|That|The|There|This)(?!\p{L})|(?<![\p{L}'’])(?:an?|and|are|be|but|by|can|case|does|for|here|if|in|is|it|may|must|not|on|or|our|should|than|that|the|then|there|they|this|to|was|we|were|when|which|will|with|would|you|your)(?![\p{L}'’.])/u;

/** `Bob [bob@forge.test](mailto:bob@forge.test)` */
const markdownLink = /\[([^\s<>[\]()]{1,320}@[^\s<>[\]()]{1,320})\]\(mailto:\1\)/i;
const linkOfMail = /<?mailto:[^<>\s]{1,320}>/gi;

/** Removes the links that web mailers copy into an address, and the end of a sentence. */
function cleaned(value: string): string {
	const bare = value.replace(markdownLink, '<$1>').replaceAll(linkOfMail, '');
	const linked = bare.includes('@') ? bare : value.replace(/mailto:/i, '');
	return linked
		.replace(/>[ \t]+>/, '>')
		.replace(/>[.,;!]+$/, '>')
		.trim();
}

/** Equal for all spellings of a person. Ignores the case of addresses. */
export function personKey({ name, address }: MailPerson): string {
	return address === '' ? name.replaceAll(/\s+/g, ' ').trim().toLowerCase() : asciiLower(address);
}
