/** Types besides `text/…` with readable text. Pages show them only as plain text. */
const textTypes: readonly string[] = [
	'application/json',
	'application/mbox',
	'application/pgp-keys',
	'application/pgp-signature',
	'application/x-patch',
	'application/x-diff',
	'message/rfc822',
];

/** True where an attachment of this type can be opened as a plain text document. */
export function isTextType(type: string): boolean {
	const bare = type.replace(/;[^]*/, '').trim().toLowerCase();
	return bare.startsWith('text/') || textTypes.includes(bare);
}
