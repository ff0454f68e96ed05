/** A mail out of a mailbox. */
export interface MailOfMailbox {
	/** With its brackets; empty where the mail has none. */
	readonly messageId: string;
	/** Without the line of the mailbox before it, and without what the server added. */
	readonly envelope: string;
	/**
	 * True where a line may have been changed for the mailbox: one that begins with `From ` gets a `>` before it, and nobody
	 * can tell whether it had that before (docs/protocol.md#graphql-mailboxes).
	 */
	readonly isDoubtful: boolean;
}

/** A line of the mailbox before each mail, behind an empty one; `From : somebody` is an old way to write a header. */
const separator = /(?:^|\n\r?\n)From [^\s:][^\n]*\r?\n/g;
/** What the server says of the patchset, in the mail that ends it. */
const added = /^X-Sourcehut-[^\n]*\r?\n/;

/** Takes a mailbox apart, as servers write it for a thread or a patchset. */
export function mailsOfMailbox(text: string): readonly MailOfMailbox[] {
	const starts = Array.from(text.matchAll(separator), ({ index, 0: line }) => ({ from: index + line.length, index }));
	return starts.map(({ from }, at) => {
		const envelope = withoutAdded(withLineEnd(text.slice(from, endOf(text, starts[at + 1]?.index))));
		return { messageId: messageIdOf(envelope), envelope, isDoubtful: /^>+From /m.test(envelope) };
	});
}

/** Without what the server writes behind every mail, the last one too: a line end and an empty line. */
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

/** Of its headers, which may be folded. */
function messageIdOf(envelope: string): string {
	const head = envelope.slice(0, headEnd(envelope)).replaceAll(/\r?\n[ \t]+/g, ' ');
	return /^message-id:\s*(<[^>\n]*>)/im.exec(head)?.[1] ?? '';
}

function headEnd(envelope: string): number {
	const end = /\r?\n\r?\n/.exec(envelope)?.index;
	return end ?? envelope.length;
}
