import * as v from 'valibot';
import { isTime } from './keptValues.ts';
import { jsonIn } from './looseJson.ts';

/*
 * Reading what we wrote ourselves, some version ago, into a storage that others may have damaged.
 */

/** Where something of an account is kept between windows. What is read may be anything. */
export interface KeptText {
	read(): unknown;
	write(text: string): Promise<void>;
}

/** A text that ends with the window. */
export function textInMemory(text?: string): KeptText {
	let kept = text;
	return {
		read: () => kept,
		async write(next) {
			kept = next;
		},
	};
}

/** What a kept text says; `nothing` for what is not as the schema has it. */
export function keptIn<T>(text: unknown, schema: v.GenericSchema<unknown, T>, nothing: T): T {
	const read = v.safeParse(schema, jsonIn(text));
	return read.success ? read.output : nothing;
}

/**
 * The same now, parsed anew whenever it is another text, since other windows write it too. The same value as long as it is
 * the same text.
 */
export function kept<T>(place: Pick<KeptText, 'read'>, schema: v.GenericSchema<unknown, T>, nothing: T): () => T {
	let known: { readonly text: unknown; readonly value: T } | undefined;
	return () => {
		const text = place.read();
		known = known && known.text === text ? known : { text, value: keptIn(text, schema, nothing) };
		return known.value;
	};
}

/** The entries of a list that are as they were written: a damaged one takes none of the others along. */
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

/** Milliseconds that are a date. */
export const time: v.GenericSchema<unknown, number> = v.custom<number>(isTime);
