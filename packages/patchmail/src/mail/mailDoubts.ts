import { withoutBlanks } from './blanks.ts';
import type { GitRefusal } from './gitWords.ts';

/** Why programs may read a mail differently, `git am` among them. */
export type MailDoubt =
	/** A field that may occur once. */
	| { readonly kind: 'repeatedField'; readonly name: string }
	/** A `Content-Transfer-Encoding` that is none of those that there are. */
	| { readonly kind: 'unknownEncoding'; readonly value: string }
	/** Text that is declared as base64, and is none. */
	| { readonly kind: 'noBase64' }
	| { readonly kind: 'blankBeforeColon'; readonly line: string }
	| { readonly kind: 'bareReturn' }
	/** A line of the head that is no field. */
	| { readonly kind: 'noField'; readonly line: string }
	| { readonly kind: 'blankAtStart' }
	/** Git takes nothing from the mail, or reads it only where it knows the charset. */
	| { readonly kind: 'refused'; readonly refusal: GitRefusal }
	/** Git derives another message from the text before the patch. */
	| { readonly kind: 'otherMessage' }
	/** The text contains U+FFFD, the servers' replacement for bytes that they cannot store. */
	| { readonly kind: 'lostBytes' }
	/** Git takes the patch for text in another charset. */
	| { readonly kind: 'otherCharset'; readonly charset: string };

const onlyOnce = new Set(['content-type', 'content-transfer-encoding', 'subject']);
const encodings = new Set(['', '7bit', '8bit', 'binary', 'quoted-printable', 'base64']);
const most = 10;
const longestQuote = 200;

/** Oddities of a mail and of the heads of its parts. `oddLine`: a line at which git ends a head. */
export function mailDoubts(message: string, oddLine: string | undefined): readonly MailDoubt[] {
	const end = message.indexOf('\n\n');
	const head = end === -1 ? '' : message.slice(0, end);
	// A text of one part only: parts have boundaries between, and heads of their own.
	const isNoBase64 =
		/^content-transfer-encoding:[ \t]*base64[ \t]*$/im.test(head) &&
		!/^content-type:[ \t]*multipart/im.test(head) &&
		/[^A-Za-z0-9+/=\s]/.test(message.slice(end));
	const doubts = [...headDoubts(message), ...(isNoBase64 ? [{ kind: 'noBase64' } as const] : [])];
	return oddLine === undefined || doubts.some(({ kind }) => kind !== 'repeatedField')
		? doubts
		: [...doubts, { kind: 'noField', line: quoted(oddLine) }];
}

/** Oddities of a head. `message` has no mailbox line, and LF. */
export function headDoubts(message: string): readonly MailDoubt[] {
	const end = message.search(/\n\r?\n/);
	const head = end === -1 ? message.replace(/\n$/, '') : message.slice(0, end);
	const names = new Set<string>();
	return [
		...(/^[ \t]/.test(head) ? [{ kind: 'blankAtStart' } as const] : []),
		...(head.includes('\r') ? [{ kind: 'bareReturn' } as const] : []),
		...head.split(/\n(?![ \t])/).flatMap((field) => fieldDoubts(field, names)),
	].slice(0, most);
}

/** Oddities of a field with its continuation lines. `names`: the fields before it. */
function fieldDoubts(field: string, names: Set<string>): readonly MailDoubt[] {
	const [whole, name = '', blank = ''] = /^([!-9;-~]+)([ \t]*):/.exec(field) ?? [];
	if (whole === undefined) {
		return /^[ \t]/.test(field) ? [] : [{ kind: 'noField', line: quoted(field) }];
	}
	const key = name.toLowerCase();
	const isRepeated = names.has(key) && onlyOnce.has(key);
	names.add(key);
	const value = withoutBlanks(field.slice(whole.length).replaceAll('\n', ''));
	const isUnknown = key === 'content-transfer-encoding' && !encodings.has(value.toLowerCase());
	return [
		...(blank === '' ? [] : [{ kind: 'blankBeforeColon', line: quoted(field) } as const]),
		...(isRepeated ? [{ kind: 'repeatedField', name } as const] : []),
		...(isUnknown ? [{ kind: 'unknownEncoding', value: quoted(value) } as const] : []),
	];
}

function quoted(text: string): string {
	return text.slice(0, longestQuote).replaceAll('\n', ' ');
}
