import { peopleIn } from './mailDraftText.ts';
import { oneLine } from './personIn.ts';
import type { MailPerson } from './readableMail.ts';
import { isSendable } from './writtenAddress.ts';

/** Output of a command that prints one address a line, or the reason why it is none. */
export type PrintedPeople =
	| { readonly kind: 'people'; readonly people: readonly MailPerson[] }
	/** `line`: not one person with an address. */
	| { readonly kind: 'badLine'; readonly line: string }
	| { readonly kind: 'tooMany' };

/** More recipients than any real patch. */
export const mostPrinted = 100;
const longestLine = 1000;
/** `(maintainer:LAMPS)` behind an address, from `get_maintainer.pl`. */
const role = /\s+\([^<>@]*\)$/;
const anyNameAndAddress = /^([^<>@]*)<([^\s<>]+)>$/;

const utf8 = new TextDecoder('utf-8', { fatal: true });
const latin1 = new TextDecoder('latin1');

/** Reads lines like `git send-email`. A name may have any sign; a line without an address is an error, as for git. */
export function printedPeople(output: Uint8Array): PrintedPeople {
	const people = new Map<string, MailPerson>();
	for (const line of linesOf(output)) {
		const person = line.length > longestLine ? undefined : personOf(line);
		if (!person) {
			return { kind: 'badLine', line: line.slice(0, longestLine) };
		}
		const key = person.address.toLowerCase();
		people.set(key, people.get(key) ?? person);
		if (people.size > mostPrinted) {
			return { kind: 'tooMany' };
		}
	}
	return { kind: 'people', people: [...people.values()] };
}

/** Decoded apart, because programs copy names from files of different charsets. Without empty lines. */
function linesOf(output: Uint8Array): readonly string[] {
	const decoded = (bytes: Uint8Array): string => {
		try {
			return utf8.decode(bytes);
		} catch {
			return latin1.decode(bytes);
		}
	};
	return Buffer.from(output)
		.toString('latin1')
		.split(/[\r\n]+/)
		.map((line) => decoded(Buffer.from(line, 'latin1')).trim())
		.filter((line) => line !== '');
}

function personOf(line: string): MailPerson | undefined {
	const written = line.includes('>') ? line.replace(role, '') : line;
	const listed = peopleIn(written);
	if (listed) {
		return listed.length === 1 ? listed[0] : undefined;
	}
	const [, name = '', address = ''] = anyNameAndAddress.exec(written) ?? [];
	const plain = oneLine(name.replaceAll(/["\\\p{Cc}]/gu, ' '));
	return isSendable(address) ? { name: plain, address } : undefined;
}
