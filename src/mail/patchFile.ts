const patchTypes = new Set(['text/x-patch', 'text/x-diff', 'text/patch', 'text/diff', 'application/x-patch']);
const patchName = /\.(?:patch|diff)(?:\.txt)?$/i;
/** Lines end with LF alone: a `^` would begin one at each CR, and look from there to the end of the line. */
const startOfDiff = /(?:^|\n)(?:diff --git |--- [^\n]*\n\+\+\+ |Index: )/;

/**
 * True for an attached patch, by its type, its name, or by what it says: git looks at no type, and applies every diff that
 * stands in any part of a mail.
 */
export function isPatchFile(file: {
	readonly name: string | undefined;
	readonly type: string;
	readonly text: () => string;
}): boolean {
	return patchTypes.has(file.type) || patchName.test(file.name ?? '') || holdsDiff(file.text());
}

/** Whether a diff begins in a text. */
export function holdsDiff(text: string): boolean {
	return startOfDiff.test(text);
}
