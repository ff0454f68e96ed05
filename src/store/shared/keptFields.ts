import type { ExtraField } from '../../forge/port/extra.ts';
import type { ShortUser } from '../../forge/port/user.ts';
import { wordOf, type Word } from '../../forge/port/word.ts';
import { fieldsOf, isTime } from '../../base/looseJson.ts';

/*
 * Decoders for parts of cached values. Files may be truncated or from another version, so decode them as strictly as
 * server data. All throw on invalid values.
 */

/** A known word, or an unknown one with the `other:` prefix. */
export function keptWord<W extends string>(known: readonly W[], value: unknown): Word<W> {
	const word = text(value);
	const read = wordOf(known, word.startsWith('other:') ? word.slice('other:'.length) : word);
	return read === word ? read : wrong();
}

export function shortUserOf(value: unknown): ShortUser {
	const { canonicalName, name } = fieldsOf(value);
	return { canonicalName: text(canonicalName), name: text(name) };
}

export function extraFieldOf(value: unknown): ExtraField {
	const { name, json } = fieldsOf(value);
	return { name: text(name), json: maybe(json, text) };
}

export function listOf<T>(value: unknown, read: (item: unknown) => T): readonly T[] {
	return Array.isArray(value) ? value.map(read) : wrong();
}

/** JSON omits undefined fields. */
export function maybe<T>(value: unknown, read: (value: unknown) => T): T | undefined {
	return value === undefined ? undefined : read(value);
}

export function whole(value: unknown): number {
	return typeof value === 'number' && Number.isSafeInteger(value) ? value : wrong();
}

export function time(value: unknown): number {
	return isTime(value) ? value : wrong();
}

export function text(value: unknown): string {
	return typeof value === 'string' ? value : wrong();
}

export function flag(value: unknown): boolean {
	return typeof value === 'boolean' ? value : wrong();
}

function wrong(): never {
	throw new Error('The file is not as it was written');
}
