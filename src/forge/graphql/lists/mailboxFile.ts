/** One mail of a mailbox. */
export interface MailOfMailbox {
	/** With angle brackets; empty if the mail has none. */
	readonly messageId: string;
	/** Without the mbox separator line and the server's own headers. */
	readonly envelope: string;
	/**
	 * True if mbox escaping may have changed a line. It prefixes lines that start with `From ` with `>`, and the
	 * original is ambiguous (docs/protocol.md#graphql-mailboxes).
	 */
	readonly isDoubtful: boolean;
}

/** The mbox separator before each mail, after an empty line. `From : somebody` is an old header syntax. */
const separator = /(?:^|\n\r?\n)From [^\s:][^\n]*\r?\n/g;
/** The server's patchset headers, in the last mail of a patchset. */
const added = /^X-Sourcehut-[^\n]*\r?\n/;

/** Splits a mailbox of a thread or patchset. */
export function mailsOfMailbox(text: string): readonly MailOfMailbox[] {
	const starts = Array.from(text.matchAll(separator), ({ index, 0: line }) => ({ from: index + line.length, index }));
	return starts.map(({ from }, at) => {
		const envelope = withoutAdded(withLineEnd(text.slice(from, endOf(text, starts[at + 1]?.index))));
		return { messageId: messageIdOf(envelope), envelope, isDoubtful: /^>+From /m.test(envelope) };
	});
}

/** The server writes a line ending and an empty line after every mail, including the last one. */
function endOf(text: string, next: number | undefined): number {
	return next ?? text.length - (/\n\r?\n$/.exec(text.slice(-3))?.[0].length ?? 0);
}

function withLineEnd(envelope: string): string {
	return envelope.endsWith('\n') ? envelope : `${envelope}\n`;
}

function withoutAdded(envelope: string): string {
	const line = added.exec(envelope)?.[0];
	return line === undefined ? envelope : withoutAdded(envelope.slice(line.length));
}

/** Message-ID from the headers, unfolded. */
function messageIdOf(envelope: string): string {
	const head = envelope.slice(0, headEnd(envelope)).replaceAll(/\r?\n[ \t]+/g, ' ');
	return /^message-id:\s*(<[^>\n]*>)/im.exec(head)?.[1] ?? '';
}

function headEnd(envelope: string): number {
	const end = /\r?\n\r?\n/.exec(envelope)?.index;
	return end ?? envelope.length;
}
