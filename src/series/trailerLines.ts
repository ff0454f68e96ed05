import { asciiLower } from '../base/asciiLower.ts';
import type { MailPerson } from '../mail/readableMail.ts';
import { personIn } from '../mail/personIn.ts';

/** A line that speaks for somebody: `Reviewed-by: Bob <bob@forge.test>`. */
export interface TrailerLine {
	/** As usually written. */
	readonly key: string;
	/** As written; a value that goes on in the next line is one line. */
	readonly value: string;
	readonly person: MailPerson;
}

const longestValue = 400;
/** More in one mail are no praise. */
const most = 200;
const goesOn = /^[ \t]*<[^<>@\s]+@[^<>@\s]+>[ \t]*$/;

/** How keys are written that people write in many ways. */
const usual = new Map(
	['Co-developed-by', 'Co-authored-by', 'Signed-off-by', 'NAKed-by'].map((key) => [key.toLowerCase(), key]),
);

/** The first 200 trailers `…-by`, each at the start of its line. */
export function trailerLines(lines: readonly (string | undefined)[]): readonly TrailerLine[] {
	const found = lines.flatMap((line, at) => {
		const [head, key = ''] = /^([A-Za-z](?:[A-Za-z-]{0,40}[A-Za-z])?-by)[ \t]{0,4}:/i.exec(line ?? '') ?? [];
		if (line === undefined || head === undefined || line.length > longestValue) {
			return [];
		}
		const next = lines[at + 1];
		const first = line.slice(head.length).trim();
		const isCut = !first.includes('@') && next !== undefined && goesOn.test(next.slice(0, longestValue));
		const value = cleaned(isCut ? `${first} ${next.trim()}` : first);
		return value === '' ? [] : [{ key: usualKey(key), value, person: personIn(value) }];
	});
	return found.slice(0, most);
}

const linkOfMail = /<?mailto:[^<>\s]{1,320}>/gi;

/** Without the links that web mailers copy into an address, and without the end of a sentence. */
function cleaned(value: string): string {
	const bare = value.replaceAll(linkOfMail, '');
	const linked = bare.includes('@') ? bare : value.replace(/mailto:/i, '');
	return linked
		.replace(/>[ \t]+>/, '>')
		.replace(/>[.,;!]+$/, '>')
		.trim();
}

/** `reviewed-BY` → `Reviewed-by`. */
function usualKey(key: string): string {
	const lower = key.toLowerCase();
	return usual.get(lower) ?? lower.charAt(0).toUpperCase() + lower.slice(1);
}

/** The same for everybody who is meant by it, in whatever case an address is written. */
export function personKey({ name, address }: MailPerson): string {
	return address === '' ? name.replaceAll(/\s+/g, ' ').trim().toLowerCase() : asciiLower(address);
}
