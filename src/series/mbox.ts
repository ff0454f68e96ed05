import { bytesOfMail } from '../mail/gitPatch.ts';

/** What stands above a mail whose own line `From …` would not be known as one. */
const fromLine = 'From nobody Thu Jan  1 00:00:00 1970';

/**
 * A mailbox that `git am` takes, of mails in this order, each as the forge hands it out: perhaps with a line `From …` at its
 * head, with any line ends, and with bytes that nobody decoded as U+DC80 to U+DCFF. The mailbox has LF.
 */
export function mailboxOf(envelopes: readonly string[]): Uint8Array {
	return Buffer.concat(envelopes.map(oneMail));
}

/** One mail of the box: its line `From …`, its own lines, and a blank one. */
function oneMail(envelope: string): Buffer {
	// Where the head ends its lines with CR LF, so does the transport; elsewhere a CR is the patch's own.
	const text = /^[^\n]*\r\n/.test(envelope) ? envelope.replaceAll('\r\n', '\n') : envelope;
	const isBoxed = /^From [^\s:]/.test(text);
	const end = text.indexOf('\n');
	const given = isBoxed ? bytesOfMail(text.slice(0, end === -1 ? text.length : end)) : '';
	const rest = isBoxed ? (end === -1 ? '' : text.slice(end + 1)) : text;
	// Git looks at bytes, of which only one ends a line.
	const lines = bytesOfMail(rest.replace(/^\n+/, '')).split('\n');
	const escaped = lines.map((line) => (beginsMail(line) ? `>${line}` : line)).join('\n');
	const whole = `${beginsMail(given) ? given : fromLine}\n${escaped}${escaped.endsWith('\n') ? '' : '\n'}\n`;
	return Buffer.from(whole, 'latin1');
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
