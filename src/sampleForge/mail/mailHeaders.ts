import { decodeWords } from './encodedWords.ts';

/** Headers of one mail or part, in order, unfolded but not decoded. */
export type MailHeaders = readonly (readonly [name: string, value: string])[];

/** `head`: everything before the first empty line, with any line ends. Skips lines that are no headers. */
export function parseHeaders(head: string): MailHeaders {
	const unfolded = head.replaceAll(/\r?\n(?=[ \t])/g, '');
	return unfolded.split(/\r?\n/).flatMap((line) => {
		const found = /^([!-9;-~]+)[ \t]*:[ \t]*(.*)$/.exec(line);
		return found?.[1] === undefined ? [] : [[found[1], found[2]?.trimEnd() ?? ''] as const];
	});
}

/** The first header of this name, RFC 2047 words decoded. */
export function headerOf(headers: MailHeaders, name: string): string | undefined {
	const wanted = name.toLowerCase();
	const value = headers.find(([each]) => each.toLowerCase() === wanted)?.[1];
	return value === undefined ? undefined : decodeWords(value);
}

/** The first `<id>` of a Message-ID or In-Reply-To header, brackets included. */
export function firstId(value: string | undefined): string | undefined {
	return /<[^<>\s]+>/.exec(value ?? '')?.[0];
}

/** The address of the first mailbox in a From or Reply-To header, lower case; empty when there is none. */
export function firstAddress(value: string | undefined): string {
	const unquoted = (value ?? '').replaceAll(/"(?:[^"\\]|\\.)*"/g, '');
	const address = /<([^<>\s]+@[^<>\s]+)>/.exec(unquoted)?.[1] ?? /[^\s<>,;:]+@[^\s<>,;:]+/.exec(unquoted)?.[0];
	return (address ?? '').toLowerCase();
}

/** A parameter of a Content-Type or Content-Disposition value. */
export function parameterOf(value: string | undefined, name: string): string | undefined {
	const found = new RegExp(String.raw`;\s*${name}\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;]+))`, 'i').exec(value ?? '');
	return found?.[1]?.replaceAll(/\\(.)/g, '$1') ?? found?.[2];
}
