/** Characters that mail programs substitute for blanks. */
const blanks = /[\s\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000]+/g;
const unseen = /[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\uFEFF]/g;
const entities = /&(?:amp;)*(lt|gt|quot|nbsp|#39|#160);|&(?:amp;)+/g;
const plain = /^[\t\x20-\x25\x27-\x3c\x3e-\x7e]*$/;

/**
 * Normalizes changes by mail programs, on both the sent and the quoted text. A literal `=20` therefore doesn't matter.
 */
function alike(line: string): string {
	if (plain.test(line)) {
		return line;
	}
	const text = line.trimEnd();
	// A trailing `=` is a soft line break of quoted-printable.
	return (text.endsWith('=') ? text.slice(0, -1) : text)
		.replace(unseen, '')
		.replace(entities, (_, name: string | undefined) => entityOf(name))
		.replace(/=(?:20|09|0A|0D|C2=A0)/g, ' ')
		.replace(/=3D/g, '=')
		.replace(/[\u2018\u2019\u201A\u2032]/g, "'")
		.replace(/[\u201C\u201D\u201E\u2033]/g, '"')
		.replace(/[\u2010-\u2015\u2212]/g, '-')
		.replaceAll('\u2026', '...');
}

function entityOf(name: string | undefined): string {
	switch (name) {
		case 'lt':
			return '<';
		case 'gt':
			return '>';
		case 'quot':
			return '"';
		case '#39':
			return "'";
		case undefined:
			return '&';
		default:
			return ' ';
	}
}

/** The normalized line without blanks. */
export function lineKey(line: string): string {
	return alike(line).replace(blanks, '');
}

/** The words of a line; a diff sign is a word. */
export function lineWords(line: string): readonly string[] {
	const text = alike(line).replace(blanks, ' ').trim();
	const sign = text[0];
	const words = text === '' ? [] : text.split(' ');
	return (sign === '+' || sign === '-') && text[1] !== ' ' && text.length > 1
		? [sign, ...text.slice(1).split(' ')]
		: words;
}

/** The key of a diff line without its sign; `undefined` without a sign. */
export function withoutSign(key: string): string | undefined {
	return key.startsWith('+') || key.startsWith('-') ? key.slice(1) : undefined;
}
