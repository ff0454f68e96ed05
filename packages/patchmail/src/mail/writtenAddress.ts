import { cut, encodedWords, isPlainHeader, oneLine } from './encodeWords.ts';
import type { MailPerson } from './readableMail.ts';

const localPart = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~](?:[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]*[A-Za-z0-9!#$%&'*+/=?^_`{|}~-])?";
const host = '[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*';
const address = new RegExp(`^${localPart}@${host}$`);
const mostAddress = 254;
const mostName = 120;
const bareName = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~ -]+$/;
/** Characters that no program takes for the start or end of an address. */
const quotableName = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~ .,-]+$/;

/**
 * True if a mail can go to the address. Every program must read it alike, so quoted and non-ASCII addresses are out,
 * and it must not look like an option or an encoded word.
 */
export function isSendable(text: string): boolean {
	return (
		text.length <= mostAddress &&
		address.test(text) &&
		!text.includes('..') &&
		!text.includes('=?') &&
		!text.startsWith('-')
	);
}

/** Equal for all spellings of an address. `u.owner.list@` is that of `~owner/list@` (docs/protocol.md#list-addresses). */
export function addressKey(written: string): string {
	return written
		.trim()
		.toLowerCase()
		.replaceAll('%7e', '~')
		.replaceAll('%2f', '/')
		.replace(/^u\.([^.@]+)\.([^@]+)@/, '~$1/$2@')
		.replace(/\.$/, '');
}

/** A person for headers and arguments; `undefined` if the address is not sendable. */
export function writtenPerson(person: MailPerson): string | undefined {
	if (!isSendable(person.address)) {
		return undefined;
	}
	const name = cut(oneLine(person.name), mostName).trim();
	if (name === '') {
		return person.address;
	}
	// `git send-email` takes the first address that it finds in an argument, so a quoted name never holds one.
	const isQuotable = isPlainHeader(name) && quotableName.test(name);
	const writtenName = !isQuotable ? encodedWords(name) : bareName.test(name) ? name : `"${name}"`;
	return `${writtenName} <${person.address}>`;
}

/** People in readable form, in one line; quotation marks around a name with characters of addresses. */
export function peopleText(people: readonly MailPerson[]): string {
	return people.map(personText).join(', ');
}

export function personText({ name, address }: MailPerson): string {
	const plain = oneLine(name.replaceAll(/["\\]/g, ' '));
	if (plain === '') {
		return address;
	}
	return /[<>@,;:()[\]]/.test(plain) ? `"${plain}" <${address}>` : `${plain} <${address}>`;
}
