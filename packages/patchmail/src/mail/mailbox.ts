/** One mail of a mailbox. */
export interface MailOfMailbox {
	/** With angle brackets; empty if the mail has none. */
	readonly messageId: string;
	/** Without the mbox separator line. */
	readonly envelope: string;
	/**
	 * True if mbox escaping may have changed a line. It prefixes lines that start with `From ` with `>`, and the
	 * original is ambiguous (docs/protocol.md#graphql-mailboxes).
	 */
	readonly isDoubtful: boolean;
}

/** The mbox separator before each mail, after an empty line. `From : somebody` is an old header syntax. */
const separator = /(?:^|\n\r?\n)From [^\s:][^\n]*\r?\n/g;

/** Splits a mailbox. Ignores text before the first separator. */
export function splitMailbox(text: string): readonly MailOfMailbox[] {
	const starts = Array.from(text.matchAll(separator), ({ index, 0: line }) => ({ from: index + line.length, index }));
	return starts.map(({ from }, at) => {
		// Writers put a line ending and an empty line after every mail, including the last one.
		const end = starts[at + 1]?.index ?? text.length - (/\n\r?\n$/.exec(text.slice(-3))?.[0].length ?? 0);
		const mail = text.slice(from, end);
		const envelope = mail.endsWith('\n') ? mail : `${mail}\n`;
		return { messageId: messageIdOf(envelope), envelope, isDoubtful: /^>+From /m.test(envelope) };
	});
}

/** Message-ID from the headers, unfolded. */
function messageIdOf(envelope: string): string {
	const end = /\r?\n\r?\n/.exec(envelope)?.index ?? envelope.length;
	const head = envelope.slice(0, end).replaceAll(/\r?\n[ \t]+/g, ' ');
	return /^message-id:\s*(<[^>\n]*>)/im.exec(head)?.[1] ?? '';
}
