import { maxOf } from '@forge-desk/base/longArrays.ts';
import type { MailPerson } from './readableMail.ts';

/** Before an address. */
const starts = [' ', '\t', '\n', '\r', '<'];
/** Behind it. Git looks for them from its start on: in `a>b@c` the address is `a`. */
const ends = /[ \t\n\r\v\f>]/;
/** Git's own list of blanks. */
const blanks = /[ \t\n\r]+/g;
/** In bytes. Git takes the address for a longer name. */
const longestName = 60;

/**
 * Somebody as written in a line `From:` or a trailer, by the rules of `git mailinfo`: the word around the first `@` is the
 * address, and the rest is the name. Linear time.
 */
export function personIn(written: string): MailPerson {
	const text = unquoted(written);
	const at = text.indexOf('@');
	if (at === -1) {
		const open = written.indexOf('<');
		const close = written.indexOf('>', open);
		return open === -1 || close === -1
			? { name: oneLine(written), address: '' }
			: { name: oneLine(written.slice(0, open)), address: written.slice(open + 1, close) };
	}
	const start = maxOf(starts.map((sign) => text.lastIndexOf(sign, at))) + 1;
	const address = text.slice(start).split(ends, 1)[0]!;
	const before = text.slice(0, start).replace(/<$/, ' ');
	const name = oneLine(before + text.slice(start + address.length + 1));
	return { name: name.startsWith('(') && name.endsWith(')') ? name.slice(1, -1) : name, address };
}

/** The author of a commit whose mail names somebody so; git writes the address for an empty name. */
export function authorIn(written: string): MailPerson | undefined {
	const { name, address } = personIn(written);
	const isName = Buffer.byteLength(name) <= longestName && !/[@<>]/.test(name);
	return address === '' ? undefined : { name: isName ? name : '', address };
}

/** Removes quotation marks and, in quotes or parentheses, the backslash of an escape. */
function unquoted(text: string): string {
	if (!/["\\]/.test(text)) {
		return text;
	}
	const signs: string[] = [];
	let [isQuoted, depth, isLiteral] = [false, 0, false];
	for (const sign of text) {
		const isInside = isQuoted || depth > 0;
		if (isLiteral || !(isInside ? (isQuoted ? '\\"' : '\\()') : '"(').includes(sign)) {
			isLiteral = false;
			signs.push(sign);
		} else if (sign === '\\') {
			isLiteral = true;
		} else if (sign === '"') {
			isQuoted = !isQuoted;
		} else {
			depth += sign === '(' ? 1 : -1;
			signs.push(sign);
		}
	}
	return signs.join('');
}

/** Of several blanks one is left, and none at the ends. */
export function oneLine(text: string): string {
	return text.replaceAll(blanks, ' ').replace(/^ | $/g, '');
}
