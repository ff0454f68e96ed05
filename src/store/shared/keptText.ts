import * as v from 'valibot';
import { isTime, jsonIn } from '../../base/lenientJson.ts';
import { wordOf, type Word } from 'sourcehut/port/word.ts';

/* Tolerant readers for our own stored data, which may be old or damaged. */

/** A stored text of an account. `read` may return anything. */
export interface KeptText {
	read(): unknown;
	write(text: string): Promise<void>;
}

/** In memory only. */
export function textInMemory(text?: string): KeptText {
	let kept = text;
	return {
		read: () => kept,
		async write(next) {
			kept = next;
		},
	};
}

/** Parses a stored text; `nothing` when it doesn't match the schema. */
export function keptIn<T, Nothing = T>(
	text: unknown,
	schema: v.GenericSchema<unknown, T>,
	nothing: Nothing,
): T | Nothing {
	const read = v.safeParse(schema, jsonIn(text));
	return read.success ? read.output : nothing;
}

/** A reader that parses again only when the text changed, for example by another window. */
export function kept<T>(place: { read(): unknown }, schema: v.GenericSchema<unknown, T>, nothing: T): () => T {
	let known: { readonly text: unknown; readonly value: T } | undefined;
	return () => {
		const text = place.read();
		known = known && known.text === text ? known : { text, value: keptIn(text, schema, nothing) };
		return known.value;
	};
}

/** `nothing` while a text is unreadable. */
export function readOr<T>(read: () => T, nothing: T): T {
	try {
		return read();
	} catch {
		return nothing;
	}
}

/** Valid entries of a list; skips damaged ones. */
export function goodOf<T>(entry: v.GenericSchema<unknown, T>): v.GenericSchema<unknown, readonly T[]> {
	const good = v.pipe(
		v.array(v.unknown()),
		v.transform((entries): readonly T[] =>
			entries.flatMap((each) => {
				const read = v.safeParse(entry, each);
				return read.success ? [read.output] : [];
			}),
		),
	);
	return v.fallback(good, []);
}

/** Valid date milliseconds. */
export const time: v.GenericSchema<unknown, number> = v.custom<number>(isTime);

export const whole = v.pipe(v.number(), v.safeInteger());

/** A tracker, a list or a repository. */
export const named = v.object({ owner: v.string(), name: v.string() });

/** JSON omits undefined fields. */
export function maybe<T>(schema: v.GenericSchema<unknown, T>) {
	return v.optional(schema, () => undefined);
}

/** A known word, or an unknown one with the `other:` prefix. */
export function keptWord<W extends string>(known: readonly W[]): v.GenericSchema<unknown, Word<W>> {
	return v.custom<Word<W>>(
		(value) => typeof value === 'string' && wordOf(known, value.replace(/^other:/, '')) === value,
	);
}

/** Schemas for all fields of a domain type. Use it with `satisfies`, so that a stored value loses no new field. */
export type FieldsOf<T> = { readonly [K in keyof T]-?: v.GenericSchema<unknown, T[K]> };
