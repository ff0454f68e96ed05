/** More of a mail is nobody's reading; it also bounds what is looked through. */
const farthest = 1_000_000;

/** What mail programs put above the mail that is answered, where they do not quote it. */
const originalBelow = /^-{2,}\s?(?:original message|forwarded message|ursprüngliche nachricht|message d'origine)/i;

/** The head of a mail, as programs write it above one that they do not quote: its sender, its date and its subject. */
const headSender = /^\*{0,2}(?:from|von|de|van|da)\s?:\*{0,2}\s/i;
const headDate = /^\*{0,2}(?:sent|date|gesendet|datum|envoyé|enviado|verzonden|inviato)\s?:\*{0,2}\s/i;
const headSubject = /^\*{0,2}(?:subject|betreff|objet|asunto|onderwerp|oggetto)\s?:\*{0,2}\s/i;
/** So many lines may such a head have. */
const headLines = 8;

/**
 * The lines that a mail's writer wrote: not the quoted ones, not a diff, not the signature and not what was answered
 * below. Quoted lines are `undefined`, so that what stands around them stays apart. Without line ends.
 */
export function ownLines(text: string): readonly (string | undefined)[] {
	const all = text.slice(0, farthest).split('\n');
	const lines: (string | undefined)[] = [];
	let isBegun = false;
	for (const [at, line] of all.entries()) {
		const bare = line.endsWith('\r') ? line.slice(0, -1) : line;
		if (bare === '-- ' || bare.startsWith('diff --') || isOriginalBelow(bare)) {
			break;
		}
		// At the head of a text the same lines are those of a patch that was sent on.
		if (isBegun && isMailHead(all, at)) {
			break;
		}
		isBegun ||= bare.trim() !== '';
		lines.push(/^[ \t]{0,8}[>|]/.test(bare) ? undefined : bare);
	}
	return lines;
}

/** Whether a line says that the mail that is answered follows it. */
export function isOriginalBelow(line: string): boolean {
	return originalBelow.test(line.slice(0, 80));
}

/** Whether the head of a mail begins in a line: one that names a sender, with date and subject below it. */
export function isMailHead(lines: readonly string[], at: number): boolean {
	if (!headSender.test((lines[at] ?? '').slice(0, 80))) {
		return false;
	}
	const next = lines.slice(at + 1, at + headLines).map((line) => line.slice(0, 80));
	return next.some((line) => headDate.test(line)) && next.some((line) => headSubject.test(line));
}
