import { bytesOfMail } from '../mail/gitPatch.ts';

/** Separator for a mail without a usable `From …` line. */
const fromLine = 'From nobody Thu Jan  1 00:00:00 1970';

/**
 * A mailbox for `git am` in this order. Envelopes come as the forge sends them: with or without a `From …` line, with
 * any line ends, and with undecoded bytes as U+DC80 to U+DCFF. The mailbox has LF.
 */
export function mailboxOf(envelopes: readonly string[]): Uint8Array {
	return Buffer.concat(
		envelopes.map((envelope) => {
			// If the head has CR LF, the transport added them. Otherwise a CR belongs to the patch.
			const text = /^[^\n]*\r\n/.test(envelope) ? envelope.replaceAll('\r\n', '\n') : envelope;
			const isBoxed = /^From [^\s:]/.test(text);
			const end = text.indexOf('\n');
			const given = isBoxed ? bytesOfMail(text.slice(0, end === -1 ? text.length : end)) : '';
			const rest = isBoxed ? (end === -1 ? '' : text.slice(end + 1)) : text;
			// Git splits bytes, and a single byte ends a line.
			const lines = bytesOfMail(rest.replace(/^\n+/, '')).split('\n');
			const escaped = lines.map((line) => (beginsMail(line) ? `>${line}` : line)).join('\n');
			const whole = `${beginsMail(given) ? given : fromLine}\n${escaped}${escaped.endsWith('\n') ? '' : '\n'}\n`;
			return Buffer.from(whole, 'latin1');
		}),
	);
}

/**
 * True if `git mailsplit` starts a mail at this line: the line ends with a time and a year. Other `From …` lines stay,
 * since git removes no escapes. One character per byte.
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
