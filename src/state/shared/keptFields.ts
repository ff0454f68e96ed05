import type { ExtraField } from '../../forge/extra.ts';
import type { ShortUser } from '../../forge/user.ts';
import { wordOf, type Word } from '../../forge/word.ts';
import { fieldsOf, isTime } from './keptValues.ts';

/*
 * The parts of things that are read back from the disk. Files may be cut short, or written by another version, so they are
 * decoded as strictly as what the server sends: each of these throws for a value that is not what it should be.
 */

/** One of the known words, or another one marked as such. */
export function keptWord<W extends string>(known: readonly W[], value: unknown): Word<W> {
	const word = text(value);
	const read = wordOf(known, word.startsWith('other:') ? word.slice('other:'.length) : word);
	return read === word ? read : wrong();
}

/** A user as other things name them. */
export function shortUserOf(value: unknown): ShortUser {
	const { canonicalName, name } = fieldsOf(value);
	return { canonicalName: text(canonicalName), name: text(name) };
}

/** A field that this version does not know. */
export function extraFieldOf(value: unknown): ExtraField {
	const { name, json } = fieldsOf(value);
	return { name: text(name), json: maybe(json, text) };
}

/** Each of a list. */
export function listOf<T>(value: unknown, read: (item: unknown) => T): readonly T[] {
	return Array.isArray(value) ? value.map(read) : wrong();
}

/** JSON leaves out what is undefined. */
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

export function wrong(): never {
	throw new Error('The file is not as it was written');
}
