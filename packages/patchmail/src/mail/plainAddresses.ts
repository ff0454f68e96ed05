import { withoutBlanks } from './blanks.ts';
import { decodeWords } from './encodedWords.ts';
import type { MailPerson } from './readableMail.ts';

/*
 * The ways to write an address that every program reads alike: alone, in angle brackets behind a name, or with a name in
 * brackets behind it. All other ways are for the general parser.
 */
const address = '[^\\s<>@,;:"()\\\\[\\]]+@[^\\s<>@,;:"()\\\\[\\]]+';
const listed = new RegExp(
	`(?:(?:[ \\t]*"([^"\\\\]*)"[ \\t]*|([^<>@,;:"()\\\\[\\]]*))<(${address})>|[ \\t]*(${address})(?:[ \\t]+\\(([^<>@,;:"()\\\\]*)\\))?)[ \\t]*(?:,|$)`,
	'gy',
);

const onlyOne = new RegExp(`^([^<>@,;:"()\\\\[\\]]*)<(${address})>$`);

/** The people in a list of addresses; `undefined` unless all are plainly written. */
export function plainAddresses(value: string): readonly MailPerson[] | undefined {
	// Fast path: most lists are one person in the most common form.
	const [, name = '', only] = onlyOne.exec(value) ?? [];
	if (only !== undefined && !only.includes('=?')) {
		return [personOf(decodeWords(withoutBlanks(name)), only)];
	}
	const people: MailPerson[] = [];
	let end = 0;
	for (const found of value.matchAll(listed)) {
		const [whole, quoted, bare, bracketed, alone, comment] = found;
		const written = bracketed ?? alone!;
		if (written.includes('=?')) {
			return undefined;
		}
		people.push(personOf(decodeWords(withoutBlanks(quoted ?? bare ?? comment ?? '')), written));
		end = found.index + whole.length;
	}
	return end === value.length && !value.endsWith(',') ? people : undefined;
}

function personOf(name: string, written: string): MailPerson {
	return { name: name === written ? '' : name, address: written };
}
