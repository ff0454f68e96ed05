import { unfit } from '../forge/forgeError.ts';
import type { EmailId } from '../forge/list.ts';

/** A mail as a segment of a path: its number, or its Message-ID with the angle brackets that servers insist on. */
export function emailSegment(id: EmailId): string {
	if (typeof id === 'number') {
		return String(id);
	}
	const messageId = id.messageId.startsWith('<') ? id.messageId : `<${id.messageId}>`;
	if (messageId.includes('/')) {
		throw unfit('email-id', 'slashInMessageId');
	}
	return messageId;
}
