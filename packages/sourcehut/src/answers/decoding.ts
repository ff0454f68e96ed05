import * as v from 'valibot';

/** Reads one JSON value. Throws `Misread` for other values. */
export type Decoder<T> = (value: unknown) => T;

/** An unexpected value. `at`: path below the decoded value, such as `.tracker.owner` or `[3].title`. */
export class Misread extends Error {
	override readonly name = 'Misread';
	readonly at: string;
	readonly why: string;

	constructor(at: string, why: string) {
		super(`${at}: ${why}`);
		this.at = at;
		this.why = why;
	}

	/** Prefixes the path. */
	below(spot: string): Misread {
		return new Misread(`${spot}${this.at}`, this.why);
	}

	/** Adds `count` to the leading index of the path. */
	behind(count: number): Misread {
		const [, place, rest = ''] = /^\[(\d+)\](.*)$/s.exec(this.at) ?? [];
		return place === undefined ? this : new Misread(`[${Number(place) + count}]${rest}`, this.why);
	}
}

/** Stops at the first mismatch. */
export function decoder<Output>(schema: v.GenericSchema<unknown, Output>): Decoder<Output> {
	return (value) => {
		const result = v.safeParse(schema, value, { abortEarly: true });
		if (!result.success) {
			const [issue] = result.issues;
			const { path = [], expected, message, input } = issue;
			const spot = path.map(({ key }) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
			throw new Misread(spot, `expected ${expected ?? message}, found ${nameOf(input)}`);
		}
		return result.output;
	};
}

/** Decodes each item. The error path starts with the index of a wrong one. */
export function decodeItems<T>(values: readonly unknown[], decode: Decoder<T>): readonly T[] {
	const items: T[] = [];
	let place = 0;
	try {
		for (; place < values.length; place += 1) {
			items.push(decode(values[place]));
		}
	} catch (error) {
		throw error instanceof Misread ? error.below(`[${place}]`) : error;
	}
	return items;
}

/** True for JSON objects (and arrays, whose named fields are all missing). */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null;
}

/** Type name of a value. Messages must not contain response data. */
export function nameOf(value: unknown): string {
	if (value === null) {
		return 'null';
	}
	return Array.isArray(value) ? 'Array' : typeof value;
}
