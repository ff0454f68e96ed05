import type { TransferEncoding } from './transferEncodings.ts';

/** The encoding fields of a head as git reads them. */
export interface DeclaredToGit {
	readonly encoding: TransferEncoding;
	/** Empty when none is declared. */
	readonly charset: string;
	readonly isFlowed: boolean;
	readonly delSp: boolean;
}

/** Declarations after a field. Git searches for its words anywhere in the field, and the last field counts. */
export function declaredTo(
	before: DeclaredToGit,
	name: string,
	value: string,
): DeclaredToGit & { readonly boundary: string | undefined } {
	if (name.toLowerCase() === 'content-type') {
		return {
			encoding: before.encoding,
			charset: attributeOf(value, 'charset') ?? '',
			isFlowed: attributeOf(value, 'format')?.toLowerCase() === 'flowed',
			delSp: attributeOf(value, 'delsp')?.toLowerCase() === 'yes',
			boundary: attributeOf(value, 'boundary'),
		};
	}
	const words = value.toLowerCase();
	const encoding = words.includes('base64')
		? 'base64'
		: words.includes('quoted-printable')
			? 'quotedPrintable'
			: 'identity';
	return { ...before, encoding, boundary: undefined };
}

/** The text after the first `name=`, even at the end of another name or in quotes. */
function attributeOf(value: string, name: string): string | undefined {
	const at = value.toLowerCase().indexOf(`${name}=`);
	if (at === -1) {
		return undefined;
	}
	const text = value.slice(at + name.length + 1);
	return text.startsWith('"') ? text.slice(1).split('"', 1)[0] : /^[^; \t]*/.exec(text)?.[0];
}
