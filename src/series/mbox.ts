import { mailBytes } from './mailBytes.ts';
import { seriesMembers } from './seriesMembers.ts';

/** A mail as the forge hands it out. */
interface MboxMail {
	readonly subject: string;
	/** Perhaps with a line `From …` at its head; any line ends; bytes that nobody decoded as U+DC80 to U+DCFF. */
	readonly envelope: string;
}

/** What stands above a mail whose own line `From …` would not be known as one. */
const fromLine = 'From nobody Thu Jan  1 00:00:00 1970';

/**
 * A mailbox that `git am` takes: one mail for each patch, in their order, without cover letter and answers. `mails` are in
 * order of arrival; `version` chooses where they are of several. Line ends are LF.
 */
export function mboxOf(mails: readonly MboxMail[], version?: number): Uint8Array {
	const { patches, count } = seriesMembers(mails, { version, hasDiff: () => true });
	const first = new Map<number, MboxMail>();
	for (const { mail, index } of patches) {
		if (!first.has(index)) {
			first.set(index, mail);
		}
	}
	const numbers = Array.from(first.keys()).toSorted((a, b) => a - b);
	const wanted = count > 0 ? numbers : [];
	return Buffer.concat(wanted.map((number) => oneMail(first.get(number)?.envelope ?? '')));
}

/** One mail of the box: its line `From …`, its own lines, and a blank one. */
function oneMail(envelope: string): Buffer {
	// Where the head ends its lines with CR LF, so does the transport; elsewhere a CR is the patch's own.
	const text = /^[^\n]*\r\n/.test(envelope) ? envelope.replaceAll('\r\n', '\n') : envelope;
	const isBoxed = /^From [^\s:]/.test(text);
	const end = text.indexOf('\n');
	const given = isBoxed ? latin1(text.slice(0, end === -1 ? text.length : end)) : '';
	const rest = isBoxed ? (end === -1 ? '' : text.slice(end + 1)) : text;
	// Git looks at bytes, of which only one ends a line.
	const lines = latin1(rest.replace(/^\n+/, '')).split('\n');
	const escaped = lines.map((line) => (beginsMail(line) ? `>${line}` : line)).join('\n');
	const whole = `${beginsMail(given) ? given : fromLine}\n${escaped}${escaped.endsWith('\n') ? '' : '\n'}\n`;
	return Buffer.from(whole, 'latin1');
}

/** The bytes of a text, one a character. */
function latin1(text: string): string {
	return mailBytes(text).toString('latin1');
}

/**
 * Whether `git mailsplit` takes a line for the beginning of a mail: it ends with a time and a year. Other lines `From …`
 * stay as they are, since git takes no mark off again. The line's bytes, one a character.
 */
function beginsMail(line: string): boolean {
	const colon = line.lastIndexOf(':', line.length - 2);
	return (
		line.length >= 19 &&
		line.startsWith('From ') &&
		/^\d[^]\d\d:\d\d/.test(line.slice(colon - 4, colon + 3)) &&
		Number.parseInt(line.slice(colon + 3), 10) > 90
	);
}
