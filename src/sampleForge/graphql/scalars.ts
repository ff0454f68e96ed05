import { FieldError } from './engine.ts';

/** RFC 3339 with the shortest fraction of a second, none for whole seconds (docs/protocol.md#graphql-values). */
export function time(timeMs: number): string {
	return new Date(timeMs).toISOString().replace(/\.?0*Z$/, 'Z');
}

const letters = '0123456789abcdefghjkmnpqrstvwxyz';

/** Unique id across the forge: a version 7 UUID in 26 characters of base 32. */
export function ridOf(kind: 'tracker' | 'list' | 'repository' | 'project', id: number, createdMs: number): string {
	const kinds = { tracker: 1n, list: 2n, repository: 3n, project: 4n };
	const version = 7n << 76n;
	const variant = 2n << 62n;
	let bits = (BigInt(createdMs) << 80n) | version | (kinds[kind] << 64n) | variant | BigInt(id);
	// 26 characters hold 130 bits; the last two are padding.
	bits <<= 2n;
	return Array.from({ length: 26 }, (_, at) => letters[Number((bits >> BigInt(5 * (25 - at))) & 31n)]).join('');
}

/** Throws for a text that has not the form of such an id. */
export function readRid(text: string): string {
	if (!/^[0-9a-hjkmnp-tv-z]{26}$/.test(text)) {
		throw new FieldError('Invalid RID');
	}
	return text;
}

/** The row with this id. */
export function findByRid<T extends { readonly id: number; readonly createdMs: number }>(
	kind: Parameters<typeof ridOf>[0],
	rows: readonly T[],
	text: string,
): T | undefined {
	const rid = readRid(text);
	return rows.find(({ id, createdMs }) => ridOf(kind, id, createdMs) === rid);
}

export const visibilities = { PUBLIC: 'public', UNLISTED: 'unlisted', PRIVATE: 'private' } as const;

export type VisibilityWord = keyof typeof visibilities;

/** Null for nothing. */
export function orNull<T, Shown>(thing: T | null | undefined, show: (thing: T) => Shown): Shown | null {
	return thing === null || thing === undefined ? null : show(thing);
}

/** JSON as Go writes it: plain Unicode, but `\uXXXX` for characters with a meaning in HTML. */
export function goJson(value: unknown): string {
	return JSON.stringify(value).replaceAll(/[<>&\u2028\u2029]/g, (letter) => {
		return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
	});
}
