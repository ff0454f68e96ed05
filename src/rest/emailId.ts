import { ForgeError } from '../forge/forgeError.ts';
import type { EmailId } from '../forge/list.ts';

/** A mail as a segment of a path: its number, or its Message-ID with the angle brackets that servers insist on. */
export function emailSegment(id: EmailId): string {
	if (typeof id === 'number') {
		return String(id);
	}
	const messageId = id.startsWith('<') ? id : `<${id}>`;
	if (messageId.includes('/')) {
		throw new ForgeError({
			kind: 'invalid',
			errors: [
				{
					field: 'email-id',
					reason: 'A Message-ID with a slash cannot be part of an address: this mail can only be had by its number.',
				},
			],
		});
	}
	return messageId;
}
