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
}

const longestValue = 400;
/** Limit per mail. */
const most = 200;
const goesOn = /^[ \t]*<[^<>@\s]+@[^<>@\s]+>[ \t]*$/;

/** The first 200 `…-by` trailers, each at the start of a line. */
export function trailerLines(lines: readonly (string | undefined)[]): readonly TrailerLine[] {
	const found = lines.flatMap((line = '', at) => {
		const [head, key = ''] = /^([A-Za-z](?:[A-Za-z-]{0,40}[A-Za-z])?-{1,2}by)[ \t]{0,4}:{1,2}/i.exec(line) ?? [];
		if (head === undefined || line.length > longestValue) {
			return [];
		}
		const next = lines[at + 1];
		const first = line.slice(head.length).trim();
		const isCut = !first.includes('@') && next !== undefined && goesOn.test(next.slice(0, longestValue));
		const value = cleaned(isCut ? `${first} ${next.trim()}` : first);
		// For example `Reviewed-by: ...` and `Reviewed-by: B. <...>`, where the writer shows a form.
		const isPlaceholder = !/\p{L}/u.test(value) || /<\W*>/.test(value);
		// Prose such as `Suggested-by: in this case is wrong`.
		const isSentence = !value.includes('@') && (value.endsWith('?') || wordOfSentence.test(value));
		const lower = key.toLowerCase().replace('--', '-');
		const usualKey = lower === 'naked-by' ? 'NAKed-by' : lower.charAt(0).toUpperCase() + lower.slice(1);
		return value === '' || isPlaceholder || isSentence ? [] : [{ key: usualKey, value, person: personIn(value) }];
	});
	return found.slice(0, most);
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
