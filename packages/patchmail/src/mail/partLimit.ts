/** Honest mails have a handful of parts. Each costs the parser more than its bytes. */
const mostDelimiters = 500;

/** A repeated line separates parts, so only repeated lines count. */
const longestDelimiter = 300;

/** The general parser's memory for each line and each disguised character adds up to a hundred times its size. */
const mostLines = 1_000_000;
const mostDisguised = 1_000_000;

/** True if the mail is too large for the general parser (docs/security.md#slow-parsers). */
export function isTooMuch(mail: string): boolean {
	return mail.length > mostLines && (counts(mail, /\n/g, mostLines) || counts(mail, /\P{ASCII}/gu, mostDisguised))
		? true
		: hasTooManyParts(mail);
}

function counts(text: string, sought: RegExp, most: number): boolean {
	let count = 0;
	while (count <= most && sought.test(text)) {
		count += 1;
	}
	return count > most;
}

/**
 * True if a mail could keep the parser busy with parts (docs/security.md#slow-parsers). Checks only possible
 * separators, and only in mails that may have parts: a patch may have any number of dashed lines.
 */
function hasTooManyParts(mail: string): boolean {
	const headEnd = /\r?\n\r?\n/.exec(mail)?.index ?? mail.length;
	const declared = mail.slice(0, headEnd).matchAll(/^[ \t]{0,9}content-type[ \t]{0,9}:[ \t]{0,9}(.{0,10})(.?)/gim);
	// A mail that declares nothing, or exactly plain text, has no parts, whatever its body.
	// Possible declarations count too, so folding cannot hide one.
	const isPlainText = Array.from(declared).every(
		([, type = '', next = '']) => type.toLowerCase() === 'text/plain' && (next === '' || next === ';'),
	);
	if (isPlainText) {
		return false;
	}
	const seen = new Map<string, number>();
	let repeated = 0;
	for (let at = mail.indexOf('\n--'); at !== -1; at = mail.indexOf('\n--', at + 1)) {
		const end = mail.indexOf('\n', at + 1);
		const line = mail.slice(at + 1, Math.min(end === -1 ? mail.length : end, at + longestDelimiter)).trimEnd();
		const count = (seen.get(line) ?? 0) + 1;
		seen.set(line, count);
		repeated += count === 1 ? 0 : 1;
		if (repeated > mostDelimiters) {
			return true;
		}
	}
	return false;
}
