import { withLineFeeds } from './lineEnds.ts';

/** A mail as its sender's program made it: no line of a mailbox before it, its lines ended by LF. */
export function messageOf(envelope: string): string {
	const message = withoutMboxLine(withLineFeeds(envelope));
	// Some programs on the way end lines twice. A CR at the end of a header means that all lines came that way.
	const firstReturn = message.indexOf('\r');
	return firstReturn !== -1 && message[firstReturn + 1] === '\n' && firstReturn <= message.search(/\n\r?\n/) + 1
		? withLineFeeds(message)
		: message;
}

/** A mail as git reads it out of a mailbox: line ends are as they travelled. */
export function travelledMail(envelope: string): string {
	return withoutMboxLine(envelope);
}

/** Mailboxes put a line `From nobody <date>` before each mail; `From : somebody` is an old way to write a header. */
function withoutMboxLine(message: string): string {
	return message.startsWith('From ') && /^From [^\s:]/.test(message)
		? message.slice(message.indexOf('\n') + 1 || message.length)
		: message;
}
