/** The longest Message-ID that public-inbox accepts. */
const longestId = 244;

/** The Message-ID in a typed or pasted text: `mid:a@b`, `<a@b>`, `a@b`. With angle brackets; `undefined` for others. */
export function typedMessageId(text: string): string | undefined {
	const bare = text
		.trim()
		.replace(/^(?:message-id|mid):\s*/i, '')
		.replace(/^<(.*)>$/s, '$1');
	return isBareId(bare) ? bracketed(bare) : undefined;
}

/** True for a Message-ID without its angle brackets. Spaces and controls would end the line of a header or request. */
function isBareId(text: string): boolean {
	return text.length <= longestId && /^[^\s<>\p{Cc}]+@[^\s<>\p{Cc}]+$/u.test(text);
}

/** The Message-ID as part of an address. Slashes, percent signs and quotes are legal in it. */
export function idInPath(messageId: string): string {
	return encodeURIComponent(withoutBrackets(messageId)).replaceAll(
		/[!'()*]/g,
		(sign) => `%${sign.codePointAt(0)?.toString(16).toUpperCase()}`,
	);
}

export function bracketed(bare: string): string {
	return `<${bare.replace(/^<(.*)>$/s, '$1')}>`;
}

function withoutBrackets(messageId: string): string {
	return messageId.replace(/^<(.*)>$/s, '$1');
}
