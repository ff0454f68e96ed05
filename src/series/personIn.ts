import type { MailPerson } from '../mail/readableMail.ts';

/** What may stand around an address. */
const ends = ' \t\r\n\v\f>';

/**
 * Somebody as written in a line `From:` or a trailer, by the rules of `git mailinfo`: the word around the first `@` is the
 * address, and what is left is the name. Takes time in proportion to the text.
 */
export function personIn(written: string): MailPerson {
	const text = written.replaceAll('"', '');
	const at = text.indexOf('@');
	if (at === -1) {
		return personWithoutAt(text);
	}
	let start = at;
	while (start > 0 && text.charAt(start - 1) !== '<' && !/\s/.test(text.charAt(start - 1))) {
		start -= 1;
	}
	let end = at;
	while (end < text.length && !ends.includes(text.charAt(end))) {
		end += 1;
	}
	const before = text.slice(0, start).replace(/<$/, ' ');
	const name = oneLine(before + text.slice(end + 1));
	return { name: withoutParentheses(name), address: text.slice(start, end) };
}

function personWithoutAt(text: string): MailPerson {
	const open = text.indexOf('<');
	const close = text.indexOf('>', open + 1);
	return open === -1 || close === -1
		? { name: oneLine(text), address: '' }
		: { name: oneLine(text.slice(0, open)), address: text.slice(open + 1, close) };
}

function withoutParentheses(name: string): string {
	return name.startsWith('(') && name.endsWith(')') && name.length > 1 ? name.slice(1, -1) : name;
}

function oneLine(text: string): string {
	return text.replaceAll(/\s+/g, ' ').trim();
}
